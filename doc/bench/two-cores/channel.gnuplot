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
$case72 << END
4096 0.889395 7.38938
65536 4.31317 7.60923
1.04858e+06 7.5907 6.321
END
$case75 << END
4096 5.91917 6.24423
65536 9.05533 9.70624
1.04858e+06 6.69105 6.59964
END
$case78 << END
4096 1.95437 6.97809
65536 2.44668 9.15293
1.04858e+06 2.20967 7.68448
END
$case81 << END
4096 10.0096 7.51173
65536 13.7989 8.70207
1.04858e+06 12.6392 8.05606
END
$case84 << END
4096 10.0613 7.87475
65536 11.6139 8.90412
1.04858e+06 9.99513 7.50884
END
$case87 << END
4096 6.62153 8.00942
65536 7.30987 7.00728
1.04858e+06 6.82581 5.6758
END
$case90 << END
4096 8.96992 8.2716
65536 9.37043 7.36205
1.04858e+06 10.4728 8.51192
END
$case93 << END
4096 8.57351 7.15855
65536 7.00552 6.78982
1.04858e+06 7.25161 6.84544
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'channel.svg'
plot 1/0 notitle, \
  $case72 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=2 I=16', \
  $case75 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=all I=16', \
  $case78 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, naive, S=1/8 I=16', \
  $case81 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'core to device, S=1/8 I=16', \
  $case84 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'device to core, S=1/8 I=16', \
  $case87 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'core to device and back, S=1/8 I=16', \
  $case90 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device, filled, S=1/8 I=16', \
  $case93 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to core, read, S=1/8 I=16'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'channel.png'
plot 1/0 notitle, \
  $case72 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=2 I=16', \
  $case75 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=all I=16', \
  $case78 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, naive, S=1/8 I=16', \
  $case81 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'core to device, S=1/8 I=16', \
  $case84 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'device to core, S=1/8 I=16', \
  $case87 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'core to device and back, S=1/8 I=16', \
  $case90 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device, filled, S=1/8 I=16', \
  $case93 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to core, read, S=1/8 I=16'
