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
$case173 << END
4 43.211 0.0294196
65536 0.888982 9.75395
END
$case174 << END
4 0.567729 2.23919
END
$case176 << END
4 163.351 0.0107416
65536 1.37751 6.07115
END
$case177 << END
4 0.851968 2.05952
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'nodes.svg'
plot 1/0 notitle, \
  $case173 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'memory, one direction', \
  $case176 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'memory, both directions', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'nodes.png'
plot 1/0 notitle, \
  $case173 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'memory, one direction', \
  $case176 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'memory, both directions', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
