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
2.18464 1 1.07365
6.24335 1 6.07993
62.2602 1 62.4494
497.922 1 419.525
END
$case91 << END
2.18464 8.09338 0.173851
6.24335 4.00725 1.33533
62.2602 6.36509 11.6975
497.922 4.71256 120.688
END
$case95 << END
2.18464 17.3186 0.0140598
6.24335 31.411 0.0854085
62.2602 69.7881 0.798034
497.922 65.2633 7.81305
END
$case99 << END
2.18464 0.256057 6.09044
6.24335 0.681147 7.53757
62.2602 1.62901 40.8571
497.922 1.31892 378.703
END
$case103 << END
2.18464 0.225543 7.56813
6.24335 0.556485 9.76048
62.2602 1.27316 46.4855
497.922 1.24039 399.736
END
$case107 << END
2.18464 0.259294 8.94571
6.24335 0.765263 6.59053
62.2602 1.59404 49.2985
497.922 1.3139 373.91
END
$case111 << END
2.18464 0.252768 9.5619
6.24335 0.736494 9.16397
62.2602 3.83034 11.8911
497.922 14.1764 34.5234
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
