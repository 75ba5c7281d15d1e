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
4096 38.2519 384.522
65536 56.0117 123.747
1.04858e+06 15.2724 9.84532
END
$case51 << END
4096 59.1124 1819.1
65536 530.682 1163.33
1.04858e+06 232.256 148.587
END
$case54 << END
4096 52.1418 1866.28
65536 529.934 1904.54
1.04858e+06 479.075 481.736
END
$case57 << END
512 7.57854 372.58
4096 58.2885 1814.95
65536 731.186 2044.77
262144 2018.88 1977.79
1.04858e+06 942.796 939.389
4.1943e+06 193.353 203.313
END
$case63 << END
512 308.693 369.416
4096 1710.6 1812.63
65536 1793.79 2052.31
262144 1979.67 1975.21
1.04858e+06 939.879 939.571
4.1943e+06 193.553 203.356
END
$case69 << END
4096 4.82153 1818.77
65536 4.84081 2079.15
1.04858e+06 4.47082 947.249
END
$case72 << END
512 18.595 55.3043
4096 53.6986 55.2933
65536 53.5775 55.2261
262144 53.7002 55.2892
1.04858e+06 53.7229 55.2859
4.1943e+06 53.6894 55.2916
END
$case78 << END
512 22.1569 55.3143
4096 35.5123 55.2703
65536 48.9262 55.3152
262144 52.1144 55.3106
1.04858e+06 52.1215 55.3127
4.1943e+06 53.5441 55.325
END
$case84 << END
4096 42.7294 50.495
65536 45.6455 50.5225
1.04858e+06 40.7906 50.4809
END
$case87 << END
4096 16.9954 12.108
65536 22.9486 13.0709
1.04858e+06 25.7902 12.4739
END
$case90 << END
4096 20.0026 11.6329
65536 26.8003 12.6355
1.04858e+06 28.586 13.1587
END
$case93 << END
4096 11.9665 14.1983
65536 12.025 14.3832
1.04858e+06 12.2365 14.317
END
$case96 << END
4096 13.2259 14.6568
65536 12.6691 14.6153
1.04858e+06 12.323 14.0517
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
