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
4096 0.0994793 384.522
65536 0.452632 123.747
1.04858e+06 1.55123 9.84532
END
$case51 << END
4096 0.0324953 1819.1
65536 0.456173 1163.33
1.04858e+06 1.56309 148.587
END
$case54 << END
4096 0.0279389 1866.28
65536 0.278248 1904.54
1.04858e+06 0.994477 481.736
END
$case57 << END
512 0.0203407 372.58
4096 0.0321157 1814.95
65536 0.357588 2044.77
262144 1.02077 1977.79
1.04858e+06 1.00363 939.389
4.1943e+06 0.951014 203.313
END
$case63 << END
512 0.835625 369.416
4096 0.94371 1812.63
65536 0.874035 2052.31
262144 1.00226 1975.21
1.04858e+06 1.00033 939.571
4.1943e+06 0.951793 203.356
END
$case69 << END
4096 0.00265099 1818.77
65536 0.00232827 2079.15
1.04858e+06 0.0047198 947.249
END
$case72 << END
512 0.33623 55.3043
4096 0.971158 55.2933
65536 0.970148 55.2261
262144 0.97126 55.2892
1.04858e+06 0.971729 55.2859
4.1943e+06 0.971022 55.2916
END
$case78 << END
512 0.400564 55.3143
4096 0.64252 55.2703
65536 0.884499 55.3152
262144 0.942214 55.3106
1.04858e+06 0.942307 55.3127
4.1943e+06 0.96781 55.325
END
$case84 << END
4096 0.846212 50.495
65536 0.903468 50.5225
1.04858e+06 0.808041 50.4809
END
$case87 << END
4096 1.40366 12.108
65536 1.7557 13.0709
1.04858e+06 2.06753 12.4739
END
$case90 << END
4096 1.71948 11.6329
65536 2.12104 12.6355
1.04858e+06 2.17241 13.1587
END
$case93 << END
4096 0.842816 14.1983
65536 0.836046 14.3832
1.04858e+06 0.854684 14.317
END
$case96 << END
4096 0.902378 14.6568
65536 0.86684 14.6153
1.04858e+06 0.876982 14.0517
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
