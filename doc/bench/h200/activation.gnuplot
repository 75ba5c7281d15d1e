set encoding utf8
set title 'Task queue relative to callbacks that launch the next kernel'
set xlabel 'tokens a second with the task queue'
set ylabel 'speed-up of the task queue'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale xy
set format x '10^{%T}'
set key top right
$case102 << END
115070 6.87107 59.7119
88592.2 5.19542 58.6443
11201.7 182.508 16292.8
END
$case105 << END
116082 103.839 894.529
113606 96.1095 845.992
11200 70.9224 6332.35
END
$case108 << END
109711 34.7274 316.536
109658 100.061 912.486
11224 126.624 11281.5
END
$case111 << END
93798.3 54.7636 583.845
112446 80.0039 711.484
11206.4 85.3092 7612.51
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'activation.svg'
plot 1/0 notitle, \
  $case102 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'capacity 1', \
  $case105 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'capacity 2', \
  $case108 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'capacity 8', \
  $case111 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'capacity 64', \
  1 with lines lc rgb '#666666' dt 2 title 'callbacks'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'activation.png'
plot 1/0 notitle, \
  $case102 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'capacity 1', \
  $case105 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'capacity 2', \
  $case108 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'capacity 8', \
  $case111 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'capacity 64', \
  1 with lines lc rgb '#666666' dt 2 title 'callbacks'
