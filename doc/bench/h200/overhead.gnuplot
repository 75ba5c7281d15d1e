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
1.97395 1 1.86691
7.53172 1 7.39503
64.4873 1 61.9214
422.38 1 595.19
END
$case129 << END
1.97395 5.74091 0.197419
7.53172 5.08769 1.37881
64.4873 4.7333 13.2457
422.38 3.24067 131.216
END
$case133 << END
1.97395 10.4682 0.0555144
7.53172 23.1977 0.261907
64.4873 33.8324 1.72715
422.38 25.4731 16.5146
END
$case137 << END
1.97395 0.279277 9.47409
7.53172 0.746302 14.1155
64.4873 0.343623 191.114
422.38 0.23067 1835.45
END
$case141 << END
1.97395 0.171767 10.8394
7.53172 0.77862 8.54731
64.4873 4.13165 15.2909
422.38 3.56529 118.056
END
$case145 << END
1.97395 0.196645 9.04908
7.53172 0.782207 10.9026
64.4873 4.95949 8.94342
422.38 35.1104 10.8746
END
$case149 << END
1.97395 0.154389 11.3716
7.53172 0.592573 11.6742
64.4873 2.67683 24.467
422.38 2.96077 140.143
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
