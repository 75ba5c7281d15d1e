set encoding utf8
set title 'Networks drawn by chance on more cores'
set xlabel 'cores'
set ylabel 'tokens a second'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale x 2
set xtics (1, 2, 4, 8, 16, 24, 32)
set logscale y 2
set key top left
$case18 << END
1 13408.4 0
2 27249.8 0
END
$case19 << END
1 13408.4 13815.2
2 27249.8 27630.4
END
$case22 << END
2 27249.8 13408.4
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'cores-drawn.svg'
plot 1/0 notitle, \
  $case18 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'drawn 1, 13 nodes'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'cores-drawn.png'
plot 1/0 notitle, \
  $case18 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'drawn 1, 13 nodes'
