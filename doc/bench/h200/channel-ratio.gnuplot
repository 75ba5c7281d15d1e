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
4096 0.0228529 1796.02
65536 0.29308 2067.24
1.04858e+06 1.11132 859.257
END
$case75 << END
4096 0.95641 1794.33
65536 0.975525 2059.94
1.04858e+06 1.11975 854.411
END
$case78 << END
4096 0.00248896 1798.16
65536 0.00209426 2100.62
1.04858e+06 0.00494743 860.24
END
$case81 << END
4096 0.917163 55.2658
65536 0.971775 55.2244
1.04858e+06 0.970745 55.2354
END
$case84 << END
4096 0.614679 55.199
65536 0.882521 55.1741
1.04858e+06 0.94194 55.2249
END
$case87 << END
4096 0.851918 50.4706
65536 0.918873 50.461
1.04858e+06 0.829475 50.4392
END
$case90 << END
4096 1.05843 10.3622
65536 1.84388 8.69201
1.04858e+06 2.05883 11.9914
END
$case93 << END
4096 0.950256 11.6447
65536 2.75157 9.10968
1.04858e+06 2.24956 11.8688
END
$case96 << END
4096 0.747277 14.131
65536 0.78714 13.4597
1.04858e+06 0.758548 13.6329
END
$case99 << END
4096 0.798839 14.0004
65536 0.80208 12.6725
1.04858e+06 0.893135 13.4553
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
