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
$case125 << END
2.47481 1 1.98107
8.65413 1 7.94773
66.5587 1 62.1338
601.544 1 732.357
END
$case129 << END
2.47481 4.98601 0.325006
8.65413 4.13751 2.05331
66.5587 3.65513 20.0431
601.544 3.39774 196.965
END
$case133 << END
2.47481 6.55434 0.0282252
8.65413 14.0509 0.140884
66.5587 31.724 1.32329
601.544 25.56 15.0852
END
$case137 << END
2.47481 0.303725 10.1332
8.65413 0.847373 14.4483
66.5587 0.353903 191.685
601.544 0.32769 1839.3
END
$case141 << END
2.47481 0.183454 12.7541
8.65413 0.666782 12.4537
66.5587 4.20904 15.3461
601.544 5.06155 118.536
END
$case145 << END
2.47481 0.198629 11.7028
8.65413 0.807171 9.64525
66.5587 4.83516 9.27201
601.544 49.712 10.6882
END
$case149 << END
2.47481 0.245482 10.2307
8.65413 0.688966 9.61388
66.5587 2.59472 26.1899
601.544 4.20574 140.479
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'overhead.svg'
plot 1/0 notitle, \
  $case125 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'C -O0', \
  $case129 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'C -O2', \
  $case133 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'C -O3 -march=native', \
  $case137 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'OpenCL I=1', \
  $case141 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'OpenCL I=16', \
  $case145 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'OpenCL I=256', \
  $case149 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'OpenCL I=4, 16 words at a time'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'overhead.png'
plot 1/0 notitle, \
  $case125 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'C -O0', \
  $case129 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'C -O2', \
  $case133 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'C -O3 -march=native', \
  $case137 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'OpenCL I=1', \
  $case141 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'OpenCL I=16', \
  $case145 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'OpenCL I=256', \
  $case149 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'OpenCL I=4, 16 words at a time'
