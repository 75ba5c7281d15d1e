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
2.13603 1 1.83541
7.07283 1 7.13996
55.4752 1 59.7537
486.812 1 582.999
END
$case129 << END
2.13603 6.43157 0.180456
7.07283 4.99107 1.26938
55.4752 4.25577 12.4142
486.812 3.98717 126.44
END
$case133 << END
2.13603 9.51056 0.0562608
7.07283 21.1543 0.333596
55.4752 29.9328 1.6995
486.812 27.9692 16.729
END
$case137 << END
2.13603 0.413248 9.78402
7.07283 0.702133 14.251
55.4752 0.295607 190.871
486.812 0.266066 1833.72
END
$case141 << END
2.13603 0.241642 7.77833
7.07283 0.839839 7.51759
55.4752 3.52335 15.5781
486.812 4.10441 118.044
END
$case145 << END
2.13603 0.259606 7.73407
7.07283 0.851506 7.41795
55.4752 5.48925 7.85339
486.812 43.6469 10.9372
END
$case149 << END
2.13603 0.247479 7.53273
7.07283 0.797048 9.3683
55.4752 2.18508 25.9179
486.812 3.40068 140.026
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
