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
$case72 << END
4096 0.026205 1788.77
65536 0.305273 2071.2
1.04858e+06 1.11477 838.441
END
$case75 << END
4096 0.96833 1770.23
65536 0.968737 2072.29
1.04858e+06 1.12526 835.074
END
$case78 << END
4096 0.00222541 1814.56
65536 0.00196024 2070.53
1.04858e+06 0.00520364 821.988
END
$case81 << END
4096 0.895247 55.1146
65536 0.971576 55.16
1.04858e+06 0.970914 55.2331
END
$case84 << END
4096 0.670081 55.206
65536 0.88455 55.2152
1.04858e+06 0.9419 55.2328
END
$case87 << END
4096 0.849363 50.4698
65536 0.916861 50.4784
1.04858e+06 0.828304 50.4202
END
$case90 << END
4096 2.08334 6.71862
65536 2.32516 7.75935
1.04858e+06 1.22333 11.9936
END
$case93 << END
4096 1.38455 11.4647
65536 1.85621 11.5494
1.04858e+06 2.0521 11.5249
END
$case96 << END
4096 0.725874 14.4819
65536 0.802041 13.7857
1.04858e+06 0.745503 14.0223
END
$case99 << END
4096 0.810012 14.9247
65536 0.81393 14.3139
1.04858e+06 0.780015 15.201
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'channel-ratio.svg'
plot 1/0 notitle, \
  $case72 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=132 I=256', \
  $case75 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=all I=256', \
  $case78 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, naive, S=1/8 I=256', \
  $case81 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'core to device, S=1/8 I=256', \
  $case84 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'device to core, S=1/8 I=256', \
  $case87 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'core to device and back, S=1/8 I=256', \
  $case90 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device, filled, S=1/8 I=256', \
  $case93 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to core, read, S=1/8 I=256', \
  $case96 using 1:2 with linespoints lc 9 lw 2 dt 4 pt 13 title 'device to device 2, S=1/8 I=256', \
  $case99 using 1:2 with linespoints lc 10 lw 2 dt 4 pt 14 title 'device 2 to device, S=1/8 I=256', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'channel-ratio.png'
plot 1/0 notitle, \
  $case72 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=132 I=256', \
  $case75 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=all I=256', \
  $case78 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, naive, S=1/8 I=256', \
  $case81 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'core to device, S=1/8 I=256', \
  $case84 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'device to core, S=1/8 I=256', \
  $case87 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'core to device and back, S=1/8 I=256', \
  $case90 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device, filled, S=1/8 I=256', \
  $case93 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to core, read, S=1/8 I=256', \
  $case96 using 1:2 with linespoints lc 9 lw 2 dt 4 pt 13 title 'device to device 2, S=1/8 I=256', \
  $case99 using 1:2 with linespoints lc 10 lw 2 dt 4 pt 14 title 'device 2 to device, S=1/8 I=256', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
