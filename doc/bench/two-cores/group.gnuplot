set encoding utf8
set title 'A chain of eight kernels: the cost of a firing'
set xlabel 'bytes of a token'
set ylabel 'ns a firing'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale x 2
set xtics ('4' 4, '64' 64, '1 Ki' 1024, '4 Ki' 4096, '64 Ki' 65536, '1 Mi' 1048576)
set logscale y
set key outside right top
$case111 << END
4 0.506608 1498.56
4096 20.3174 1615.92
END
$case112 << END
4 0.506608 315.758
4096 20.3174 509.108
END
$case113 << END
4 0.506608 0.23712
4096 20.3174 22.7932
END
$case114 << END
4 6.48392 0
4096 209.922 0
END
$case119 << END
4096 376.674 0
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'group.svg'
plot 1/0 notitle, \
  $case111 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'one group', \
  $case111 using 1:3 with lines lc 1 lw 1.5 dt 2 title 'one group: launches', \
  $case112 using 1:3 with lines lc 2 lw 1.5 dt 2 title 'one group: a fused kernel', \
  $case113 using 1:3 with lines lc 3 lw 1.5 dt 2 title 'one group: a loop on the device', \
  $case114 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'each by itself', \
  $case119 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'one group, I=16'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'group.png'
plot 1/0 notitle, \
  $case111 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'one group', \
  $case111 using 1:3 with lines lc 1 lw 1.5 dt 2 title 'one group: launches', \
  $case112 using 1:3 with lines lc 2 lw 1.5 dt 2 title 'one group: a fused kernel', \
  $case113 using 1:3 with lines lc 3 lw 1.5 dt 2 title 'one group: a loop on the device', \
  $case114 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'each by itself', \
  $case119 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'one group, I=16'
