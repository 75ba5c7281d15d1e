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
10 0.0653215 0
100 0.0668779 0
1000 0.109423 0
10000 0.52751 0
END
$case174 << END
10 0.274265 0
100 0.316968 0
1000 0.553026 0
10000 14.6339 0
END
$case175 << END
10 0.0135143 0
100 0.0122536 0
1000 0.0191305 0
10000 0.1278 0
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
