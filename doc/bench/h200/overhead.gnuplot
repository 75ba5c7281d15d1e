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
$case119 << END
1.9076 1 1.79934
7.38388 1 7.13274
57.3398 1 59.3539
469.173 1 568.351
END
$case123 << END
1.9076 5.94936 0.186382
7.38388 4.62651 1.45612
57.3398 4.47382 12.6604
469.173 3.46416 126.803
END
$case127 << END
1.9076 11.751 0.0542001
7.38388 24.2272 0.198479
57.3398 31.5612 1.73135
469.173 31.2786 16.3918
END
$case131 << END
1.9076 0.191598 9.6701
7.38388 0.50708 14.0068
57.3398 0.299681 190.863
469.173 0.255813 1833.79
END
$case135 << END
1.9076 0.219365 8.3565
7.38388 0.872786 7.84151
57.3398 1.13669 50.0769
469.173 1.01788 461.114
END
$case139 << END
1.9076 0.179597 8.37048
7.38388 0.818993 9.30791
57.3398 3.69425 15.1396
469.173 3.96963 117.919
END
$case143 << END
1.9076 0.194515 8.30953
7.38388 0.835197 8.08377
57.3398 6.19995 7.74816
469.173 14.535 32.091
END
$case147 << END
1.9076 0.206853 7.87709
7.38388 0.719449 7.83614
57.3398 6.49122 8.09893
469.173 42.1524 10.8109
END
$case151 << END
1.9076 0.206472 9.8478
7.38388 0.792238 8.74034
57.3398 2.22565 25.7409
469.173 3.28544 140.023
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'overhead.svg'
plot 1/0 notitle, \
  $case119 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'C -O0', \
  $case123 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'C -O2', \
  $case127 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'C -O3 -march=native', \
  $case131 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'OpenCL I=1', \
  $case135 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'OpenCL I=4', \
  $case139 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'OpenCL I=16', \
  $case143 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'OpenCL I=64', \
  $case147 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'OpenCL I=256', \
  $case151 using 1:2 with linespoints lc 9 lw 2 dt 4 pt 13 title 'OpenCL I=4, 16 words at a time'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'overhead.png'
plot 1/0 notitle, \
  $case119 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'C -O0', \
  $case123 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'C -O2', \
  $case127 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'C -O3 -march=native', \
  $case131 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'OpenCL I=1', \
  $case135 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'OpenCL I=4', \
  $case139 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'OpenCL I=16', \
  $case143 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'OpenCL I=64', \
  $case147 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'OpenCL I=256', \
  $case151 using 1:2 with linespoints lc 9 lw 2 dt 4 pt 13 title 'OpenCL I=4, 16 words at a time'
