set encoding utf8
set title 'Data transfer rate, relative to the limit'
set xlabel 'bytes of a token'
set ylabel 'rate / limit'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale x 2
set xtics ('512' 512, '4 Ki' 4096, '16 Ki' 16384, '64 Ki' 65536, '256 Ki' 262144, '1 Mi' 1048576, '4 Mi' 4194304)
set logscale y 2
set key outside right top
$case48 << END
4096 0.112135 382.991
65536 0.411812 145.24
1.04858e+06 1.81836 8.39426
END
$case51 << END
4096 0.037818 1854.01
65536 0.408574 1447.53
1.04858e+06 1.86792 124.945
END
$case54 << END
4096 0.0319401 1943.51
65536 0.380731 2079.45
1.04858e+06 1.21025 396.139
END
$case57 << END
512 0.0208372 369.262
4096 0.035349 1822.33
65536 0.380543 2101.81
262144 0.980748 2120.66
1.04858e+06 1.12743 840.755
4.1943e+06 0.955588 208.041
END
$case63 << END
512 0.989055 373.027
4096 0.997242 1749.02
65536 0.9604 2090.59
262144 0.992883 2092.78
1.04858e+06 1.12229 840.225
4.1943e+06 0.957145 207.34
END
$case69 << END
4096 0.00277641 1794.94
65536 0.00225469 2093.72
1.04858e+06 0.00525075 841.436
END
$case72 << END
512 0.367076 55.2439
4096 0.970909 55.2134
65536 0.969967 55.2416
262144 0.970079 55.2281
1.04858e+06 0.969841 55.2185
4.1943e+06 0.965836 55.2945
END
$case78 << END
512 0.637544 55.2918
4096 0.544764 55.2965
65536 0.885653 55.2754
262144 0.904988 55.2841
1.04858e+06 0.94252 55.2798
4.1943e+06 0.966485 55.3157
END
$case84 << END
4096 0.854816 50.4972
65536 0.91728 50.4794
1.04858e+06 0.829173 50.4639
END
$case87 << END
4096 1.15344 11.9584
65536 1.83428 11.9656
1.04858e+06 1.84275 12.4617
END
$case90 << END
4096 1.27758 14.2352
65536 2.21149 13.0371
1.04858e+06 2.15864 12.9927
END
$case93 << END
4096 0.758534 14.5039
65536 0.784905 14.6531
1.04858e+06 0.758254 14.3686
END
$case96 << END
4096 0.826025 14.5179
65536 0.818694 14.2189
1.04858e+06 0.852064 14.7381
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'channel-ratio.svg'
plot 1/0 notitle, \
  $case48 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=132 I=1', \
  $case51 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=132 I=16', \
  $case54 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, S=132 I=64', \
  $case57 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'same device, S=132 I=256', \
  $case63 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'same device, S=all I=256', \
  $case69 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'same device, naive, S=1/8 I=256', \
  $case72 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device, S=1/8 I=256', \
  $case78 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to core, S=1/8 I=256', \
  $case84 using 1:2 with linespoints lc 9 lw 2 dt 4 pt 13 title 'core to device and back, S=1/8 I=256', \
  $case87 using 1:2 with linespoints lc 10 lw 2 dt 4 pt 14 title 'core to device, filled, S=1/8 I=256', \
  $case90 using 1:2 with linespoints lc 11 lw 2 dt 4 pt 15 title 'device to core, read, S=1/8 I=256', \
  $case93 using 1:2 with linespoints lc 12 lw 2 dt 4 pt 16 title 'device to device 2, S=1/8 I=256', \
  $case96 using 1:2 with linespoints lc 13 lw 2 dt 4 pt 17 title 'device 2 to device, S=1/8 I=256', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'channel-ratio.png'
plot 1/0 notitle, \
  $case48 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=132 I=1', \
  $case51 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=132 I=16', \
  $case54 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, S=132 I=64', \
  $case57 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'same device, S=132 I=256', \
  $case63 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'same device, S=all I=256', \
  $case69 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'same device, naive, S=1/8 I=256', \
  $case72 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device, S=1/8 I=256', \
  $case78 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to core, S=1/8 I=256', \
  $case84 using 1:2 with linespoints lc 9 lw 2 dt 4 pt 13 title 'core to device and back, S=1/8 I=256', \
  $case87 using 1:2 with linespoints lc 10 lw 2 dt 4 pt 14 title 'core to device, filled, S=1/8 I=256', \
  $case90 using 1:2 with linespoints lc 11 lw 2 dt 4 pt 15 title 'device to core, read, S=1/8 I=256', \
  $case93 using 1:2 with linespoints lc 12 lw 2 dt 4 pt 16 title 'device to device 2, S=1/8 I=256', \
  $case96 using 1:2 with linespoints lc 13 lw 2 dt 4 pt 17 title 'device 2 to device, S=1/8 I=256', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
