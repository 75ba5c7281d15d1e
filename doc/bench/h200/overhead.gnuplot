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
2.61043 1 1.86055
8.98505 1 7.52328
71.1311 1 63.2326
693.74 1 628.584
END
$case97 << END
2.61043 6.02908 0.253251
8.98505 5.80355 1.36616
71.1311 5.24858 13.0894
693.74 5.23266 130.708
END
$case101 << END
2.61043 12.2537 0.0559827
8.98505 20.323 0.220209
71.1311 35.9265 1.81061
693.74 39.8556 17.4873
END
$case105 << END
2.61043 0.25575 9.52525
8.98505 0.612079 14.2059
71.1311 0.371053 190.879
693.74 0.378158 1833.75
END
$case109 << END
2.61043 0.243899 8.29442
8.98505 0.90288 9.1113
71.1311 4.52297 15.499
693.74 5.86306 118.267
END
$case113 << END
2.61043 0.258742 12.0292
8.98505 0.919254 8.29685
71.1311 5.64766 10.236
693.74 62.5045 10.6159
END
$case117 << END
2.61043 0.206336 9.48061
8.98505 0.751333 8.1941
71.1311 2.74722 25.901
693.74 4.85618 139.872
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
