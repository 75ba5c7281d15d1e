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
$case0 << END
4096 0.033499 1779.36
65536 0.370175 2060.48
1.04858e+06 0.900816 938.325
END
$case3 << END
4096 0.990711 1742.54
65536 0.999944 2039.73
1.04858e+06 0.893532 940.121
END
$case6 << END
4096 0.002465 1772.26
65536 0.0020931 2056.74
1.04858e+06 0.00498001 946.513
END
$case9 << END
4096 0.963956 55.2759
65536 0.971753 55.2696
1.04858e+06 0.971438 55.2581
END
$case12 << END
4096 0.621557 55.1813
65536 0.872962 55.2046
1.04858e+06 0.932372 55.178
END
$case15 << END
4096 0.852548 50.4781
65536 0.917461 50.4558
1.04858e+06 0.798667 50.4527
END
$case18 << END
4096 1.1647 12.665
65536 2.20812 10.5169
1.04858e+06 1.93167 14.3199
END
$case21 << END
4096 1.63367 8.65396
65536 2.57152 9.30353
1.04858e+06 2.25369 11.4782
END
$case24 << END
4096 0.918712 55.1352
65536 0.935731 55.0914
1.04858e+06 0.940147 55.1569
END
$case27 << END
4096 0.918702 55.1564
65536 0.936826 55.1576
1.04858e+06 0.946651 55.1552
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'channel-ratio.svg'
plot 1/0 notitle, \
  $case0 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=132 I=256', \
  $case3 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=all I=256', \
  $case6 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, naive, S=1/8 I=256', \
  $case9 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'core to device, S=1/8 I=256', \
  $case12 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'device to core, S=1/8 I=256', \
  $case15 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'core to device and back, S=1/8 I=256', \
  $case18 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device, filled, S=1/8 I=256', \
  $case21 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to core, read, S=1/8 I=256', \
  $case24 using 1:2 with linespoints lc 9 lw 2 dt 4 pt 13 title 'device to device 2, S=1/8 I=256', \
  $case27 using 1:2 with linespoints lc 10 lw 2 dt 4 pt 14 title 'device 2 to device, S=1/8 I=256', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'channel-ratio.png'
plot 1/0 notitle, \
  $case0 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=132 I=256', \
  $case3 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=all I=256', \
  $case6 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, naive, S=1/8 I=256', \
  $case9 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'core to device, S=1/8 I=256', \
  $case12 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'device to core, S=1/8 I=256', \
  $case15 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'core to device and back, S=1/8 I=256', \
  $case18 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device, filled, S=1/8 I=256', \
  $case21 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to core, read, S=1/8 I=256', \
  $case24 using 1:2 with linespoints lc 9 lw 2 dt 4 pt 13 title 'device to device 2, S=1/8 I=256', \
  $case27 using 1:2 with linespoints lc 10 lw 2 dt 4 pt 14 title 'device 2 to device, S=1/8 I=256', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
