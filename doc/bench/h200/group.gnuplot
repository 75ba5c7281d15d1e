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
$case117 << END
4 0.236409 5078.89
4096 1.69318 5599.29
END
$case118 << END
4 0.236409 656.12
4096 1.69318 696.413
END
$case119 << END
4 0.236409 0.197438
4096 1.69318 0.515952
END
$case120 << END
4 0.649043 0
4096 13.1665 0
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'group.svg'
plot 1/0 notitle, \
  $case117 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'one group', \
  $case117 using 1:3 with lines lc 1 lw 1.5 dt 2 title 'one group: launches', \
  $case118 using 1:3 with lines lc 2 lw 1.5 dt 2 title 'one group: a fused kernel', \
  $case119 using 1:3 with lines lc 3 lw 1.5 dt 2 title 'one group: a loop on the device', \
  $case120 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'each by itself'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'group.png'
plot 1/0 notitle, \
  $case117 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'one group', \
  $case117 using 1:3 with lines lc 1 lw 1.5 dt 2 title 'one group: launches', \
  $case118 using 1:3 with lines lc 2 lw 1.5 dt 2 title 'one group: a fused kernel', \
  $case119 using 1:3 with lines lc 3 lw 1.5 dt 2 title 'one group: a loop on the device', \
  $case120 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'each by itself'
