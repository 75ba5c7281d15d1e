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
$case116 << END
4 0.266544 5708.78
4096 0.262068 6452.85
END
$case117 << END
4 0.266544 713.024
4096 0.262068 846.705
END
$case118 << END
4 0.266544 0.205281
4096 0.262068 0.509806
END
$case119 << END
4 0.648416 0
4096 12.0349 0
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'group.svg'
plot 1/0 notitle, \
  $case116 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'one group', \
  $case116 using 1:3 with lines lc 1 lw 1.5 dt 2 title 'one group: launches', \
  $case117 using 1:3 with lines lc 2 lw 1.5 dt 2 title 'one group: a fused kernel', \
  $case118 using 1:3 with lines lc 3 lw 1.5 dt 2 title 'one group: a loop on the device', \
  $case119 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'each by itself'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'group.png'
plot 1/0 notitle, \
  $case116 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'one group', \
  $case116 using 1:3 with lines lc 1 lw 1.5 dt 2 title 'one group: launches', \
  $case117 using 1:3 with lines lc 2 lw 1.5 dt 2 title 'one group: a fused kernel', \
  $case118 using 1:3 with lines lc 3 lw 1.5 dt 2 title 'one group: a loop on the device', \
  $case119 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'each by itself'
