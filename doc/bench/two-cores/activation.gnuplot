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
$case72 << END
98147.7 0.359874 3.66665
70781.1 0.877846 12.4023
771.956 1.00622 1303.47
END
$case75 << END
101576 0.403007 3.96755
70948.6 0.783964 11.0498
764.737 0.99975 1307.31
END
$case78 << END
95616.1 0.393353 4.11388
67120.5 0.820959 12.2311
769.694 1.01229 1315.19
END
$case81 << END
82559.6 0.353121 4.27717
65635 0.811106 12.3578
778.855 1.0023 1286.89
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'activation.svg'
plot 1/0 notitle, \
  $case72 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'capacity 1', \
  $case75 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'capacity 2', \
  $case78 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'capacity 8', \
  $case81 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'capacity 64', \
  1 with lines lc rgb '#666666' dt 2 title 'callbacks'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'activation.png'
plot 1/0 notitle, \
  $case72 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'capacity 1', \
  $case75 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'capacity 2', \
  $case78 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'capacity 8', \
  $case81 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'capacity 64', \
  1 with lines lc rgb '#666666' dt 2 title 'callbacks'
