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
4096 0.110399 382.581
65536 0.41227 144.783
1.04858e+06 1.8313 8.34001
END
$case51 << END
4096 0.0225665 1874.87
65536 0.370768 1450.34
1.04858e+06 1.88372 123.255
END
$case54 << END
4096 0.0201106 1880.8
65536 0.27829 2048.19
1.04858e+06 1.22097 391.675
END
$case57 << END
512 0.0149279 369.982
4096 0.0269168 1784.95
65536 0.273525 2103.5
262144 0.953078 2117.43
1.04858e+06 1.15503 813.458
4.1943e+06 0.952447 203.11
END
$case63 << END
512 0.676003 369.967
4096 0.989306 1738.24
65536 0.9744 2059.5
262144 0.957881 2149.4
1.04858e+06 1.13678 831.927
4.1943e+06 0.9542 203.214
END
$case69 << END
4096 0.00239645 1789.75
65536 0.00196937 2091.93
1.04858e+06 0.00499133 813.318
END
$case72 << END
512 0.397091 55.0207
4096 0.853138 55.2304
65536 0.970003 55.2612
262144 0.971285 55.1977
1.04858e+06 0.970841 55.2294
4.1943e+06 0.970768 55.2283
END
$case78 << END
512 0.54807 55.2224
4096 0.560216 55.2629
65536 0.885727 55.1948
262144 0.926173 55.2016
1.04858e+06 0.943061 55.1791
4.1943e+06 0.97057 55.1966
END
$case84 << END
4096 0.843857 50.4695
65536 0.904563 50.4638
1.04858e+06 0.808166 50.4702
END
$case87 << END
4096 1.02808 10.3756
65536 2.03008 8.33536
1.04858e+06 2.26935 7.79893
END
$case90 << END
4096 1.62829 6.85174
65536 3.17241 7.30051
1.04858e+06 2.12438 11.1051
END
$case93 << END
4096 0.711235 13.3375
65536 0.745868 13.6819
1.04858e+06 0.734309 14.3396
END
$case96 << END
4096 0.804966 14.2877
65536 0.805105 14.4588
1.04858e+06 0.795953 14.2865
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
