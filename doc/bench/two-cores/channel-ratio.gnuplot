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
4096 0.0351967 19.7588
65536 0.234069 19.5761
1.04858e+06 0.546667 13.4725
END
$case51 << END
4096 0.827645 19.4741
65536 0.946533 20.122
1.04858e+06 0.994763 13.4093
END
$case54 << END
4096 0.153883 20.0573
65536 0.176603 19.1444
1.04858e+06 0.201352 13.55
END
$case57 << END
4096 1.65778 13.6297
65536 2.48259 13.549
1.04858e+06 1.72336 13.5422
END
$case60 << END
4096 1.39789 13.8437
65536 1.77416 13.4444
1.04858e+06 1.43516 13.4137
END
$case63 << END
4096 1.14528 13.8172
65536 1.14392 13.9691
1.04858e+06 0.901277 13.5538
END
$case66 << END
4096 1.30998 10.5226
65536 1.97283 7.72946
1.04858e+06 1.20609 11.0085
END
$case69 << END
4096 1.16347 11.2303
65536 1.12044 11.4965
1.04858e+06 1.06492 11.5538
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'channel-ratio.svg'
plot 1/0 notitle, \
  $case48 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=2 I=16', \
  $case51 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=all I=16', \
  $case54 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, naive, S=1/8 I=16', \
  $case57 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'core to device, S=1/8 I=16', \
  $case60 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'device to core, S=1/8 I=16', \
  $case63 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'core to device and back, S=1/8 I=16', \
  $case66 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device, filled, S=1/8 I=16', \
  $case69 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to core, read, S=1/8 I=16', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'channel-ratio.png'
plot 1/0 notitle, \
  $case48 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=2 I=16', \
  $case51 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=all I=16', \
  $case54 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, naive, S=1/8 I=16', \
  $case57 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'core to device, S=1/8 I=16', \
  $case60 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'device to core, S=1/8 I=16', \
  $case63 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'core to device and back, S=1/8 I=16', \
  $case66 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device, filled, S=1/8 I=16', \
  $case69 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to core, read, S=1/8 I=16', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
