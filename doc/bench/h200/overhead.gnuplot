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
set key outside right top
$case124 << END
3.10089 1 1.9632
86.3994 1 65.6735
END
$case126 << END
3.10089 4.77214 0.292402
86.3994 3.69387 22.8735
END
$case128 << END
3.10089 7.32308 0.0995538
86.3994 32.5148 2.33226
END
$case130 << END
3.10089 0.385522 17.5059
86.3994 0.223468 756.856
END
$case132 << END
3.10089 0.221494 12.536
86.3994 1.57149 55.3658
END
$case134 << END
3.10089 0.212477 12.1333
86.3994 8.22924 10.3984
END
$case136 << END
3.10089 0.225562 11.5253
86.3994 2.05833 46.8999
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'overhead.svg'
plot 1/0 notitle, \
  $case124 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'C -O0', \
  $case126 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'C -O2', \
  $case128 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'C -O3 -march=native', \
  $case130 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'OpenCL I=1', \
  $case132 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'OpenCL I=16', \
  $case134 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'OpenCL I=256', \
  $case136 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'OpenCL I=4, 16 words at a time'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'overhead.png'
plot 1/0 notitle, \
  $case124 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'C -O0', \
  $case126 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'C -O2', \
  $case128 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'C -O3 -march=native', \
  $case130 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'OpenCL I=1', \
  $case132 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'OpenCL I=16', \
  $case134 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'OpenCL I=256', \
  $case136 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'OpenCL I=4, 16 words at a time'
