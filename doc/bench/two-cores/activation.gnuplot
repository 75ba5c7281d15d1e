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
104518 0.307309 2.94024
69731.9 0.819413 11.7509
832.377 1.01817 1223.21
END
$case75 << END
89558 0.333194 3.72042
95198.9 1.16952 12.285
864.705 1.00445 1161.61
END
$case78 << END
133797 0.652373 4.87584
76956.6 0.781857 10.1597
877.034 0.987631 1126.1
END
$case81 << END
100779 0.38357 3.80606
70246.4 0.911238 12.972
880.844 1.04524 1186.63
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
