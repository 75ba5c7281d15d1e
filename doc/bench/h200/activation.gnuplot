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
107404 6.18253 57.5632
104244 5.4648 52.4231
11241.3 169.321 15062.4
END
$case105 << END
102030 5.15061 50.4812
110562 41.5803 376.082
11221.5 98.8843 8812.07
END
$case108 << END
89783.6 30.2419 336.83
105207 43.9958 418.185
11230.9 112.704 10035.2
END
$case111 << END
96564.1 18.5464 192.063
112475 58.3563 518.839
11217.6 127.323 11350.3
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
