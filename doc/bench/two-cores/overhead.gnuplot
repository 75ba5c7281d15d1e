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
1.81558 1 1.6618
6.64274 1 6.65595
54.4793 1 53.011
513.393 1 525.966
END
$case91 << END
1.81558 6.40989 0.168076
6.64274 4.83532 1.26738
54.4793 4.72027 11.9244
513.393 4.40835 115.545
END
$case95 << END
1.81558 18.7143 0.0180661
6.64274 36.1217 0.112271
54.4793 47.5497 1.03188
513.393 46.8294 10.4005
END
$case99 << END
1.81558 0.235525 3.712
6.64274 0.626462 5.21964
54.4793 1.23363 40.5662
513.393 1.27874 395.099
END
$case103 << END
1.81558 0.192924 4.07084
6.64274 0.624152 5.46311
54.4793 1.34255 33.357
513.393 1.3014 391.074
END
$case107 << END
1.81558 0.172655 3.89157
6.64274 0.710369 5.29511
54.4793 1.28409 34.9719
513.393 1.31986 389.923
END
$case111 << END
1.81558 0.186245 4.11155
6.64274 0.638918 4.22994
54.4793 3.61123 10.7419
513.393 5.42069 88.4649
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
