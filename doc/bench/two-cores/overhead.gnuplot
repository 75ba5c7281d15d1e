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
1.34387 1 1.10119
5.63094 1 5.71546
46.8193 1 41.2444
439.301 1 424.265
END
$case124 << END
1.34387 3.83374 0.205783
5.63094 5.14384 0.987052
46.8193 4.61477 9.45964
439.301 4.71708 96.6337
END
$case128 << END
1.34387 11.3561 0.0136521
5.63094 24.2361 0.0833266
46.8193 55.5883 0.758303
439.301 59.5864 7.486
END
$case132 << END
1.34387 0.343764 6.82253
5.63094 1.06047 4.61617
46.8193 1.19958 36.1817
439.301 1.18172 360.508
END
$case136 << END
1.34387 0.163315 7.20924
5.63094 0.593084 8.01978
46.8193 1.04249 44.1457
439.301 1.1645 370.979
END
$case140 << END
1.34387 0.160367 7.07709
5.63094 0.54522 5.86975
46.8193 1.13234 39.333
439.301 1.21561 370.088
END
$case144 << END
1.34387 0.187599 5.83495
5.63094 0.967153 5.81564
46.8193 4.61275 6.65986
439.301 13.1289 37.4922
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
