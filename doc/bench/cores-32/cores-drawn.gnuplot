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
$case84 << END
1 14775.1 0
2 27604.8 0
4 39589 0
8 51869.8 0
16 54976.9 0
24 53992.2 0
32 55509.7 0
END
$case85 << END
1 14775.1 14616.1
2 27604.8 29232.1
4 39589 57609.8
8 51869.8 57609.8
16 54976.9 57609.8
24 53992.2 57609.8
32 55509.7 57609.8
END
$case88 << END
2 27604.8 14775.1
4 39589 27604.8
8 51869.8 39589
16 54976.9 51869.8
24 53992.2 54976.9
32 55509.7 54976.9
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'cores-drawn.svg'
plot 1/0 notitle, \
  $case84 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'drawn 1, 13 nodes'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'cores-drawn.png'
plot 1/0 notitle, \
  $case84 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'drawn 1, 13 nodes'
