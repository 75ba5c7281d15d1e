set encoding utf8
set title 'Data transfer rate from Producer to Consumer'
set xlabel 'bytes of a token'
set ylabel 'GB/s'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale x 2
set xtics ('512' 512, '4 Ki' 4096, '16 Ki' 16384, '64 Ki' 65536, '256 Ki' 262144, '1 Mi' 1048576, '4 Mi' 4194304)
set logscale y
set key outside right top
$case48 << END
4096 42.9468 382.991
65536 59.8118 145.24
1.04858e+06 15.2638 8.39426
END
$case51 << END
4096 70.1149 1854.01
65536 591.423 1447.53
1.04858e+06 233.388 124.945
END
$case54 << END
4096 62.0759 1943.51
65536 791.709 2079.45
1.04858e+06 479.426 396.139
END
$case57 << END
512 7.69438 369.262
4096 64.4175 1822.33
65536 799.829 2101.81
262144 2079.84 2120.66
1.04858e+06 947.892 840.755
4.1943e+06 198.802 208.041
END
$case63 << END
512 368.944 373.027
4096 1744.2 1749.02
65536 2007.8 2090.59
262144 2077.89 2092.78
1.04858e+06 942.978 840.225
4.1943e+06 198.455 207.34
END
$case69 << END
4096 4.98349 1794.94
65536 4.72069 2093.72
1.04858e+06 4.41817 841.436
END
$case72 << END
512 20.2787 55.2439
4096 53.6072 55.2134
65536 53.5825 55.2416
262144 53.5756 55.2281
1.04858e+06 53.5532 55.2185
4.1943e+06 53.4054 55.2945
END
$case78 << END
512 35.251 55.2918
4096 30.1235 55.2965
65536 48.9548 55.2754
262144 50.0315 55.2841
1.04858e+06 52.1023 55.2798
4.1943e+06 53.4618 55.3157
END
$case84 << END
4096 43.1658 50.4972
65536 46.3038 50.4794
1.04858e+06 41.8433 50.4639
END
$case87 << END
4096 13.7933 11.9584
65536 21.9483 11.9656
1.04858e+06 22.9638 12.4617
END
$case90 << END
4096 18.1866 14.2352
65536 28.8314 13.0371
1.04858e+06 28.0467 12.9927
END
$case93 << END
4096 11.0017 14.5039
65536 11.5013 14.6531
1.04858e+06 10.895 14.3686
END
$case96 << END
4096 11.9921 14.5179
65536 11.6409 14.2189
1.04858e+06 12.5578 14.7381
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'channel.svg'
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
  $case96 using 1:2 with linespoints lc 13 lw 2 dt 4 pt 17 title 'device 2 to device, S=1/8 I=256'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'channel.png'
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
  $case96 using 1:2 with linespoints lc 13 lw 2 dt 4 pt 17 title 'device 2 to device, S=1/8 I=256'
