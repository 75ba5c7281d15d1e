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
$case158 << END
10 0.0696889 0
100 0.0757136 0
1000 0.104672 0
END
$case159 << END
10 0.370001 0
100 0.388352 0
1000 0.571609 0
END
$case160 << END
10 0.0108074 0
100 0.0108839 0
1000 0.0235684 0
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'scale-time.svg'
plot 1/0 notitle, \
  $case158 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'synthesis without the C compiler', \
  $case159 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'synthesis with it', \
  $case160 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'start and end'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'scale-time.png'
plot 1/0 notitle, \
  $case158 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'synthesis without the C compiler', \
  $case159 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'synthesis with it', \
  $case160 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'start and end'
