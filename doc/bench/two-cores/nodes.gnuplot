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
$case186 << END
4 64.5924 0.0297681
65536 1.84968 7.84797
END
$case187 << END
4 0.656219 2.93011
END
$case189 << END
4 163.81 0.0123286
65536 1.3775 7.69508
END
$case190 << END
4 1.86187 1.08468
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'nodes.svg'
plot 1/0 notitle, \
  $case186 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'memory, one direction', \
  $case189 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'memory, both directions', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'nodes.png'
plot 1/0 notitle, \
  $case186 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'memory, one direction', \
  $case189 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'memory, both directions', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
