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
1.83122 1 1.79294
6.75263 1 6.88092
61.4752 1 55.034
532.796 1 474.728
END
$case123 << END
1.83122 5.1764 0.250506
6.75263 3.58171 1.40336
61.4752 4.41548 13.2969
532.796 4.11597 129.957
END
$case127 << END
1.83122 9.90297 0.0832119
6.75263 20.2483 0.237173
61.4752 28.0592 1.7758
532.796 30.7978 19.8426
END
$case131 << END
1.83122 0.159396 10.0372
6.75263 0.456415 14.2287
61.4752 0.321171 190.888
532.796 0.290478 1833.83
END
$case135 << END
1.83122 0.195817 8.23677
6.75263 0.564552 10.9537
61.4752 1.21526 50.4536
532.796 1.1551 461.224
END
$case139 << END
1.83122 0.167563 10.7165
6.75263 0.623144 8.81448
61.4752 3.90676 15.3057
532.796 4.49189 118.247
END
$case143 << END
1.83122 0.201955 8.21641
6.75263 0.601759 8.27786
61.4752 6.37012 8.08161
532.796 16.4465 32.2018
END
$case147 << END
1.83122 0.197035 8.99039
6.75263 0.627715 9.17699
61.4752 5.29044 9.53876
532.796 49.0028 10.8452
END
$case151 << END
1.83122 0.184447 8.74856
6.75263 0.638256 8.40131
61.4752 2.38277 25.8193
532.796 3.73512 139.804
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
