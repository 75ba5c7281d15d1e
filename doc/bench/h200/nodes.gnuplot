set encoding utf8
set title 'A channel between two ranks, relative to MPI alone'
set xlabel 'bytes of a token'
set ylabel 'rate / limit'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale x 2
set xtics ('4' 4, '64' 64, '1 Ki' 1024, '4 Ki' 4096, '64 Ki' 65536, '1 Mi' 1048576)
set logscale y
set key outside right top
$case193 << END
4 66.0949 0.02065
65536 0.837411 9.37249
END
$case194 << END
4 0.669971 2.03719
END
$case196 << END
4 152.951 0.0109139
65536 1.06306 6.28175
END
$case197 << END
4 0.69004 2.41911
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'nodes.svg'
plot 1/0 notitle, \
  $case193 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'memory, one direction', \
  $case196 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'memory, both directions', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'nodes.png'
plot 1/0 notitle, \
  $case193 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'memory, one direction', \
  $case196 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'memory, both directions', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
