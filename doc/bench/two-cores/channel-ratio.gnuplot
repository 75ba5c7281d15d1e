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
4096 0.120361 7.38938
65536 0.566834 7.60923
1.04858e+06 1.20087 6.321
END
$case75 << END
4096 0.947943 6.24423
65536 0.93294 9.70624
1.04858e+06 1.01385 6.59964
END
$case78 << END
4096 0.280072 6.97809
65536 0.267311 9.15293
1.04858e+06 0.28755 7.68448
END
$case81 << END
4096 1.33252 7.51173
65536 1.5857 8.70207
1.04858e+06 1.56891 8.05606
END
$case84 << END
4096 1.27766 7.87475
65536 1.30433 8.90412
1.04858e+06 1.33112 7.50884
END
$case87 << END
4096 0.826718 8.00942
65536 1.04318 7.00728
1.04858e+06 1.20262 5.6758
END
$case90 << END
4096 1.08442 8.2716
65536 1.2728 7.36205
1.04858e+06 1.23037 8.51192
END
$case93 << END
4096 1.19766 7.15855
65536 1.03177 6.78982
1.04858e+06 1.05933 6.84544
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'channel-ratio.svg'
plot 1/0 notitle, \
  $case72 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=2 I=16', \
  $case75 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=all I=16', \
  $case78 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, naive, S=1/8 I=16', \
  $case81 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'core to device, S=1/8 I=16', \
  $case84 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'device to core, S=1/8 I=16', \
  $case87 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'core to device and back, S=1/8 I=16', \
  $case90 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device, filled, S=1/8 I=16', \
  $case93 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to core, read, S=1/8 I=16', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'channel-ratio.png'
plot 1/0 notitle, \
  $case72 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=2 I=16', \
  $case75 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=all I=16', \
  $case78 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, naive, S=1/8 I=16', \
  $case81 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'core to device, S=1/8 I=16', \
  $case84 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'device to core, S=1/8 I=16', \
  $case87 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'core to device and back, S=1/8 I=16', \
  $case90 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device, filled, S=1/8 I=16', \
  $case93 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to core, read, S=1/8 I=16', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
