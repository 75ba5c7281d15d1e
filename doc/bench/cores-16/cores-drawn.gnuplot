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
$case60 << END
1 16150.5 0
2 29571 0
4 43394.4 0
8 55104.3 0
16 57387.9 0
END
$case61 << END
1 16150.5 16495.3
2 29571 32990.7
4 43394.4 65017.1
8 55104.3 65017.1
16 57387.9 65017.1
END
$case64 << END
2 29571 16150.5
4 43394.4 29571
8 55104.3 43394.4
16 57387.9 55104.3
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'cores-drawn.svg'
plot 1/0 notitle, \
  $case60 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'drawn 1, 13 nodes'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'cores-drawn.png'
plot 1/0 notitle, \
  $case60 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'drawn 1, 13 nodes'
