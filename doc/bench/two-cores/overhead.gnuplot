set encoding utf8
set title 'OpenCL and optimised C relative to C without optimisation'
set xlabel 'us a token, C -O0'
set ylabel 'speed-up'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale xy
set key bottom right
$case120 << END
1.97432 1 1.30258
6.3708 1 5.93005
58.8864 1 52.7707
513.025 1 481.507
END
$case124 << END
1.97432 7.54011 0.140353
6.3708 5.6075 1.02183
58.8864 4.75928 16.8904
513.025 3.80411 116.525
END
$case128 << END
1.97432 11.7269 0.0149032
6.3708 22.9544 0.0907962
58.8864 55.3315 0.906381
513.025 56.7507 9.14332
END
$case132 << END
1.97432 0.236908 8.0636
6.3708 0.78208 9.84116
58.8864 1.33074 46.1773
513.025 1.37497 366.419
END
$case136 << END
1.97432 0.170635 6.42882
6.3708 0.73211 8.76206
58.8864 1.18681 44.1806
513.025 1.32241 372.12
END
$case140 << END
1.97432 0.214217 5.89705
6.3708 0.483362 9.89051
58.8864 1.22471 42.0745
513.025 1.35715 371.676
END
$case144 << END
1.97432 0.224986 8.42583
6.3708 0.797935 5.03166
58.8864 5.25521 8.15313
513.025 14.0679 38.8498
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'overhead.svg'
plot 1/0 notitle, \
  $case120 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'C -O0', \
  $case124 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'C -O2', \
  $case128 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'C -O3 -march=native', \
  $case132 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'OpenCL I=1', \
  $case136 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'OpenCL I=16', \
  $case140 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'OpenCL I=256', \
  $case144 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'OpenCL I=4, 16 words at a time'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'overhead.png'
plot 1/0 notitle, \
  $case120 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'C -O0', \
  $case124 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'C -O2', \
  $case128 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'C -O3 -march=native', \
  $case132 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'OpenCL I=1', \
  $case136 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'OpenCL I=16', \
  $case140 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'OpenCL I=256', \
  $case144 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'OpenCL I=4, 16 words at a time'
