set encoding utf8
set title 'A chain of eight processes on more cores'
set xlabel 'cores'
set ylabel 'tokens a second'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale x 2
set xtics (1, 2, 4, 8, 16, 24, 32)
set logscale y
set format y '10^{%T}'
set key outside right top
$case0 << END
1 2.74845e+06 0.486646
2 5.4885e+06 0.234158
END
$case1 << END
1 2.74845e+06 0.460021
2 5.4885e+06 0.23001
END
$case4 << END
2 5.4885e+06 0.363842
END
$case5 << END
1 20137.4 49.439
2 40654.4 24.2933
END
$case6 << END
1 20137.4 47.218
2 40654.4 23.609
END
$case9 << END
2 40654.4 49.6589
END
$case10 << END
1 55517.4 17.4265
2 106098 8.65213
END
$case11 << END
1 55517.4 18.7144
2 106098 9.35718
END
$case14 << END
2 106098 18.0124
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'cores.svg'
plot 1/0 notitle, \
  $case0 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'T=64 W=30', \
  $case5 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'T=64 W=3000', \
  $case10 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'T=4096 W=1000'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'cores.png'
plot 1/0 notitle, \
  $case0 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'T=64 W=30', \
  $case5 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'T=64 W=3000', \
  $case10 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'T=4096 W=1000'
