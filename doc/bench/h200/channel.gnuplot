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
512 8.15859 378.7
65536 85.0752 119.071
4.1943e+06 5.534 1.80322
END
$case75 << END
512 4.55812 371.703
65536 551.837 2071.71
4.1943e+06 229.506 215.265
END
$case78 << END
512 1.44272 371.776
65536 3.38271 2061.21
4.1943e+06 2.24236 217.209
END
$case81 << END
65536 1823.4 2070.17
1.04858e+06 869.997 850.077
END
$case83 << END
65536 53.5819 55.1375
1.04858e+06 53.4953 55.1637
END
$case85 << END
65536 50.52 54.7064
1.04858e+06 51.9298 55.1495
END
$case87 << END
65536 46.2624 50.4335
1.04858e+06 38.931 50.4329
END
$case89 << END
65536 8.8977 8.75818
1.04858e+06 8.81357 11.8503
END
$case91 << END
65536 8.91363 12.1694
1.04858e+06 9.15923 11.753
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'channel.svg'
plot 1/0 notitle, \
  $case72 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=132 I=1', \
  $case75 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=132 I=256', \
  $case78 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, naive, S=132 I=256', \
  $case81 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'same device, S=all I=256', \
  $case83 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'core to device, S=1/8 I=256', \
  $case85 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'device to core, S=1/8 I=256', \
  $case87 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device and back, S=1/8 I=256', \
  $case89 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to device 2, S=1/8 I=256', \
  $case91 using 1:2 with linespoints lc 9 lw 2 dt 4 pt 13 title 'device 2 to device, S=1/8 I=256'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'channel.png'
plot 1/0 notitle, \
  $case72 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=132 I=1', \
  $case75 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=132 I=256', \
  $case78 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, naive, S=132 I=256', \
  $case81 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'same device, S=all I=256', \
  $case83 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'core to device, S=1/8 I=256', \
  $case85 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'device to core, S=1/8 I=256', \
  $case87 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device and back, S=1/8 I=256', \
  $case89 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to device 2, S=1/8 I=256', \
  $case91 using 1:2 with linespoints lc 9 lw 2 dt 4 pt 13 title 'device 2 to device, S=1/8 I=256'
