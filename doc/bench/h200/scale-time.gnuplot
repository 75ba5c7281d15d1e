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
$case29 << END
10 0.00957932 0
100 0.0126373 0
1000 0.0283938 0
10000 0.231365 0
END
$case30 << END
10 0.122603 0
100 0.125322 0
1000 0.33588 0
10000 9.57227 0
END
$case31 << END
10 0.00584029 0
100 0.00587376 0
1000 0.0147411 0
10000 0.0979059 0
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'scale-time.svg'
plot 1/0 notitle, \
  $case29 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'synthesis without the C compiler', \
  $case30 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'synthesis with it', \
  $case31 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'start and end'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'scale-time.png'
plot 1/0 notitle, \
  $case29 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'synthesis without the C compiler', \
  $case30 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'synthesis with it', \
  $case31 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'start and end'
