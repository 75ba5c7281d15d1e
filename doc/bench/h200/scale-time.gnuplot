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
10 0.0613086 0
100 0.0700135 0
1000 0.095479 0
10000 0.57773 0
END
$case174 << END
10 0.274061 0
100 0.276485 0
1000 0.498389 0
10000 14.3591 0
END
$case175 << END
10 0.00736805 0
100 0.0108188 0
1000 0.0174992 0
10000 0.0889728 0
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
