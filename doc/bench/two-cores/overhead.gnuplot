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
1.28837 1 1.28902
4.39643 1 4.56371
51.5948 1 47.5631
415.993 1 422.711
END
$case124 << END
1.28837 2.88637 0.218531
4.39643 2.84844 1.3988
51.5948 4.78227 12.3628
415.993 3.15294 127.482
END
$case128 << END
1.28837 6.27967 0.0155513
4.39643 22.2497 0.0873822
51.5948 49.6764 0.857167
415.993 49.0043 8.12771
END
$case132 << END
1.28837 0.167362 6.97704
4.39643 0.64804 11.5852
51.5948 1.14351 42.657
415.993 1.12555 366.272
END
$case136 << END
1.28837 0.135202 6.71078
4.39643 0.532295 7.07496
51.5948 1.06591 46.1579
415.993 1.11449 372.167
END
$case140 << END
1.28837 0.161655 5.17318
4.39643 0.272027 11.7956
51.5948 1.15775 47.1904
415.993 1.05795 384.694
END
$case144 << END
1.28837 0.131817 7.32729
4.39643 0.450736 9.84998
51.5948 4.45803 6.34959
415.993 11.2566 39.5764
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
