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
$case93 << END
2.30337 1 2.02534
7.77865 1 7.90735
73.0504 1 62.313
657.809 1 535.076
END
$case97 << END
2.30337 5.99603 0.200446
7.77865 4.77569 1.47779
73.0504 4.9565 15.7681
657.809 4.48713 149.311
END
$case101 << END
2.30337 7.9189 0.0635568
7.77865 15.2865 0.234042
73.0504 23.6727 1.79403
657.809 22.5411 17.8788
END
$case105 << END
2.30337 0.193845 11.6979
7.77865 0.536073 14.2332
73.0504 0.38219 191.024
657.809 0.358675 1833.71
END
$case109 << END
2.30337 0.1643 13.0579
7.77865 0.577571 11.4323
73.0504 4.69686 15.2519
657.809 5.56193 118.268
END
$case113 << END
2.30337 0.158656 11.996
7.77865 0.530531 11.9123
73.0504 5.62931 10.8874
657.809 44.8123 12.3537
END
$case117 << END
2.30337 0.205636 11.4611
7.77865 0.721023 11.5783
73.0504 3.06394 24.4918
657.809 4.61432 139.938
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'overhead.svg'
plot 1/0 notitle, \
  $case93 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'C -O0', \
  $case97 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'C -O2', \
  $case101 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'C -O3 -march=native', \
  $case105 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'OpenCL I=1', \
  $case109 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'OpenCL I=16', \
  $case113 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'OpenCL I=256', \
  $case117 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'OpenCL I=4, 16 words at a time'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'overhead.png'
plot 1/0 notitle, \
  $case93 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'C -O0', \
  $case97 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'C -O2', \
  $case101 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'C -O3 -march=native', \
  $case105 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'OpenCL I=1', \
  $case109 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'OpenCL I=16', \
  $case113 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'OpenCL I=256', \
  $case117 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'OpenCL I=4, 16 words at a time'
