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
$case96 << END
1 14267.1 0
2 26332.3 0
4 38838.9 0
8 49868.7 0
16 52625.3 0
24 52065.4 0
32 50821.9 0
64 51160 0
END
$case97 << END
1 14267.1 15662.7
2 26332.3 31325.3
4 38838.9 61735.1
8 49868.7 61735.1
16 52625.3 61735.1
24 52065.4 61735.1
32 50821.9 61735.1
64 51160 61735.1
END
$case100 << END
2 26332.3 14267.1
4 38838.9 26332.3
8 49868.7 38838.9
16 52625.3 49868.7
24 52065.4 52625.3
32 50821.9 52625.3
64 51160 52625.3
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'cores-drawn.svg'
plot 1/0 notitle, \
  $case96 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'drawn 1, 13 nodes'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'cores-drawn.png'
plot 1/0 notitle, \
  $case96 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'drawn 1, 13 nodes'
