set encoding utf8
set title 'Synthesis and start over the size of the network'
set xlabel 'processes'
set ylabel 's'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale xy
set key top left
$case173 << END
10 0.0607653 0
100 0.0610526 0
1000 0.0825063 0
10000 0.53672 0
END
$case174 << END
10 0.234378 0
100 0.271371 0
1000 0.485231 0
10000 10.9773 0
END
$case175 << END
10 0.00983819 0
100 0.0104604 0
1000 0.0182162 0
10000 0.0893427 0
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'scale-time.svg'
plot 1/0 notitle, \
  $case173 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'synthesis without the C compiler', \
  $case174 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'synthesis with it', \
  $case175 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'start and end'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'scale-time.png'
plot 1/0 notitle, \
  $case173 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'synthesis without the C compiler', \
  $case174 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'synthesis with it', \
  $case175 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'start and end'
