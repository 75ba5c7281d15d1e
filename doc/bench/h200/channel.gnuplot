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
4096 54.2816 1816.51
65536 507.021 2053.42
1.04858e+06 945.981 833.371
END
$case75 << END
4096 1738.5 1817.08
65536 1998.68 2091.93
1.04858e+06 940.378 832.734
END
$case78 << END
4096 3.97512 1740.63
65536 4.81116 2098.01
1.04858e+06 4.43616 828.683
END
$case81 << END
4096 53.7037 55.3048
65536 53.6886 55.2564
1.04858e+06 53.6293 55.2555
END
$case84 << END
4096 32.3275 55.1071
65536 48.3028 55.1446
1.04858e+06 51.4561 55.1638
END
$case87 << END
4096 42.2819 50.4472
65536 46.3178 50.4509
1.04858e+06 40.9089 50.4703
END
$case90 << END
4096 9.61139 10.4825
65536 20.1727 12.1238
1.04858e+06 22.0551 12.3942
END
$case93 << END
4096 15.8146 12.6431
65536 24.5714 10.5676
1.04858e+06 27.9285 12.073
END
$case96 << END
4096 9.75417 13.0695
65536 11.4375 14.6086
1.04858e+06 9.50731 13.0424
END
$case99 << END
4096 10.0562 13.8591
65536 10.7446 13.3821
1.04858e+06 10.8361 12.5143
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
