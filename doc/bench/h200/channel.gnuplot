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
4096 41.0443 1796.02
65536 605.866 2067.24
1.04858e+06 954.907 859.257
END
$case75 << END
4096 1716.11 1794.33
65536 2009.52 2059.94
1.04858e+06 956.726 854.411
END
$case78 << END
4096 4.47554 1798.16
65536 4.39924 2100.62
1.04858e+06 4.25598 860.24
END
$case81 << END
4096 50.6877 55.2658
65536 53.6657 55.2244
1.04858e+06 53.6195 55.2354
END
$case84 << END
4096 33.9297 55.199
65536 48.6923 55.1741
1.04858e+06 52.0186 55.2249
END
$case87 << END
4096 42.9968 50.4706
65536 46.3672 50.461
1.04858e+06 41.8381 50.4392
END
$case90 << END
4096 10.9676 10.3622
65536 16.027 8.69201
1.04858e+06 24.6883 11.9914
END
$case93 << END
4096 11.0655 11.6447
65536 25.0659 9.10968
1.04858e+06 26.6995 11.8688
END
$case96 << END
4096 10.5598 14.131
65536 10.5946 13.4597
1.04858e+06 10.3412 13.6329
END
$case99 << END
4096 11.184 14.0004
65536 10.1644 12.6725
1.04858e+06 12.0174 13.4553
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'channel.svg'
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
  $case99 using 1:2 with linespoints lc 10 lw 2 dt 4 pt 14 title 'device 2 to device, S=1/8 I=256'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'channel.png'
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
  $case99 using 1:2 with linespoints lc 10 lw 2 dt 4 pt 14 title 'device 2 to device, S=1/8 I=256'
