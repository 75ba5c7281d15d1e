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
1.8565 1 1.8595
7.54818 1 7.41923
59.5657 1 61.0912
583.298 1 507.661
END
$case91 << END
1.8565 5.81756 0.190462
7.54818 5.01976 1.36876
59.5657 4.53491 13.0099
583.298 4.4947 129.788
END
$case95 << END
1.8565 17.1725 0.0195605
7.54818 34.7264 0.129511
59.5657 43.7916 1.22276
583.298 46.2618 12.2564
END
$case99 << END
1.8565 0.137964 5.21539
7.54818 0.746954 5.61585
59.5657 1.34846 36.6654
583.298 1.33437 439.334
END
$case103 << END
1.8565 0.174854 4.46651
7.54818 0.557944 6.08549
59.5657 1.36138 47.5469
583.298 1.32641 434.935
END
$case107 << END
1.8565 0.167804 4.65252
7.54818 0.604518 5.94212
59.5657 1.34608 36.1591
583.298 1.33169 439.677
END
$case111 << END
1.8565 0.154986 4.10987
7.54818 0.701446 4.32675
59.5657 3.52111 11.6138
583.298 5.52587 97.0329
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
