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
1.67357 1 1.04831
6.04725 1 5.03814
51.6748 1 42.545
412.56 1 647.37
END
$case124 << END
1.67357 6.38427 0.191456
6.04725 5.30971 0.996344
51.6748 5.4469 9.35472
412.56 4.4372 92.7666
END
$case128 << END
1.67357 13.1747 0.0148092
6.04725 32.2858 0.0824779
51.6748 61.0744 0.763237
412.56 55.6575 7.86224
END
$case132 << END
1.67357 0.354118 4.0502
6.04725 1.21736 7.46196
51.6748 1.37522 40.5613
412.56 1.15079 363.089
END
$case136 << END
1.67357 0.19821 4.69848
6.04725 0.584012 10.9593
51.6748 1.22097 47.3554
412.56 1.10479 372.456
END
$case140 << END
1.67357 0.157408 5.19859
6.04725 0.648019 9.4326
51.6748 1.06489 40.576
412.56 1.15156 373.77
END
$case144 << END
1.67357 0.250984 4.53407
6.04725 0.998499 4.40219
51.6748 5.37647 10.3996
412.56 13.7506 30.7022
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
