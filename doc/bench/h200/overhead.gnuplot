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
2.13955 1 1.84582
9.16093 1 8.15966
58.593 1 75.0499
515.185 1 755.297
END
$case129 << END
2.13955 6.09505 0.312739
9.16093 5.0755 2.19511
58.593 4.04741 21.8748
515.185 3.84143 208.595
END
$case133 << END
2.13955 9.89915 0.0254116
9.16093 24.2247 0.15503
58.593 28.202 1.45614
515.185 22.4278 14.2991
END
$case137 << END
2.13955 0.295403 11.7202
9.16093 0.89501 14.473
58.593 0.312016 191.172
515.185 0.28151 1833.93
END
$case141 << END
2.13955 0.192415 9.39151
9.16093 0.680729 9.72114
58.593 3.73913 15.2672
515.185 4.3554 118.052
END
$case145 << END
2.13955 0.204199 11.7618
9.16093 0.882627 10.9843
58.593 5.16794 10.1447
515.185 40.5694 11.4558
END
$case149 << END
2.13955 0.192843 11.4462
9.16093 0.889899 11.8018
58.593 2.2634 25.85
515.185 3.61852 140.196
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
