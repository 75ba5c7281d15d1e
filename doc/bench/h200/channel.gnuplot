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
4096 42.2364 382.581
65536 59.6897 144.783
1.04858e+06 15.2731 8.34001
END
$case51 << END
4096 42.3091 1874.87
65536 537.74 1450.34
1.04858e+06 232.178 123.255
END
$case54 << END
4096 37.8239 1880.8
65536 569.991 2048.19
1.04858e+06 478.225 391.675
END
$case57 << END
512 5.52306 369.982
4096 48.0451 1784.95
65536 575.361 2103.5
262144 2018.08 2117.43
1.04858e+06 939.566 813.458
4.1943e+06 193.451 203.11
END
$case63 << END
512 250.099 369.967
4096 1719.65 1738.24
65536 2006.77 2059.5
262144 2058.87 2149.4
1.04858e+06 945.722 831.927
4.1943e+06 193.907 203.214
END
$case69 << END
4096 4.28905 1789.75
65536 4.11979 2091.93
1.04858e+06 4.05954 813.318
END
$case72 << END
512 21.8483 55.0207
4096 47.1191 55.2304
65536 53.6035 55.2612
262144 53.6127 55.1977
1.04858e+06 53.619 55.2294
4.1943e+06 53.6139 55.2283
END
$case78 << END
512 30.2658 55.2224
4096 30.9591 55.2629
65536 48.8875 55.1948
262144 51.1262 55.2016
1.04858e+06 52.0372 55.1791
4.1943e+06 53.5721 55.1966
END
$case84 << END
4096 42.589 50.4695
65536 45.6477 50.4638
1.04858e+06 40.7883 50.4702
END
$case87 << END
4096 10.667 10.3756
65536 16.9215 8.33536
1.04858e+06 17.6985 7.79893
END
$case90 << END
4096 11.1566 6.85174
65536 23.1602 7.30051
1.04858e+06 23.5914 11.1051
END
$case93 << END
4096 9.48612 13.3375
65536 10.2049 13.6819
1.04858e+06 10.5297 14.3396
END
$case96 << END
4096 11.5011 14.2877
65536 11.6409 14.4588
1.04858e+06 11.3714 14.2865
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
