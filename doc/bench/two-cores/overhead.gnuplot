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
$case87 << END
1.86698 1 1.82813
7.55513 1 7.08119
59.2139 1 59.4445
586.086 1 586.478
END
$case91 << END
1.86698 5.76443 0.188996
7.55513 5.02114 1.36482
59.2139 4.48985 13.0144
586.086 4.52724 129.325
END
$case95 << END
1.86698 15.2835 0.0200174
7.55513 33.6783 0.129527
59.2139 43.2116 1.20307
586.086 46.4099 11.6633
END
$case99 << END
1.86698 0.180583 4.47403
7.55513 0.608222 5.82393
59.2139 1.25153 44.8106
586.086 1.32851 445.868
END
$case103 << END
1.86698 0.136627 4.69248
7.55513 0.629205 5.83875
59.2139 1.31264 35.8192
586.086 1.33536 437.761
END
$case107 << END
1.86698 0.154394 4.98387
7.55513 0.580361 5.72959
59.2139 1.32032 42.3665
586.086 1.34145 439.236
END
$case111 << END
1.86698 0.177976 4.08499
7.55513 0.729888 4.16215
59.2139 3.96402 11.3084
586.086 5.70736 100.141
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'overhead.svg'
plot 1/0 notitle, \
  $case87 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'C -O0', \
  $case91 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'C -O2', \
  $case95 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'C -O3 -march=native', \
  $case99 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'OpenCL I=1', \
  $case103 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'OpenCL I=16', \
  $case107 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'OpenCL I=256', \
  $case111 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'OpenCL I=4, 16 words at a time'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'overhead.png'
plot 1/0 notitle, \
  $case87 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'C -O0', \
  $case91 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'C -O2', \
  $case95 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'C -O3 -march=native', \
  $case99 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'OpenCL I=1', \
  $case103 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'OpenCL I=16', \
  $case107 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'OpenCL I=256', \
  $case111 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'OpenCL I=4, 16 words at a time'
