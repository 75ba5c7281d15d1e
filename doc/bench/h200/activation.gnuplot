set encoding utf8
set title 'Task queue relative to callbacks that launch the next kernel'
set xlabel 'tokens a second with callbacks'
set ylabel 'speed-up of the task queue'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale xy
set format x '10^{%T}'
set key top right
$case93 << END
15715.3 4.65519 63.6324
195.046 261.994 5126.98
58.0535 36.2304 17225.5
58.0524 3.65209 17225.8
END
$case97 << END
19796.3 4.66207 50.5144
99.3755 516.733 10062.8
61.2409 34.377 16329
56.9541 3.72224 17558
END
$case101 << END
19456.2 4.92856 51.3976
127.493 403.57 7843.57
61.3227 34.3259 16307.2
59.4352 3.56711 16825.1
END
$case105 << END
17126.5 3.95367 58.389
113.741 445.723 8791.93
61.3082 34.3378 16311
61.3235 3.4582 16307
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'activation.svg'
plot 1/0 notitle, \
  $case93 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'capacity 1', \
  $case97 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'capacity 2', \
  $case101 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'capacity 8', \
  $case105 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'capacity 64', \
  1 with lines lc rgb '#666666' dt 2 title 'callbacks'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'activation.png'
plot 1/0 notitle, \
  $case93 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'capacity 1', \
  $case97 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'capacity 2', \
  $case101 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'capacity 8', \
  $case105 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'capacity 64', \
  1 with lines lc rgb '#666666' dt 2 title 'callbacks'
