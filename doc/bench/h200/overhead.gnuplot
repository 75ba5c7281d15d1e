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
2.54511 1 1.88017
7.62939 1 7.8243
58.6024 1 57.1971
716.608 1 476.389
END
$case129 << END
2.54511 7.54821 0.332851
7.62939 3.48938 2.11897
58.6024 4.37394 21.306
716.608 5.50116 214.307
END
$case133 << END
2.54511 13.1913 0.0251782
7.62939 23.4536 0.124068
58.6024 32.1932 1.14533
716.608 42.57 11.5982
END
$case137 << END
2.54511 0.38122 10.1011
7.62939 0.743256 14.388
58.6024 0.312667 191.37
716.608 0.390953 1836.88
END
$case141 << END
2.54511 0.228656 8.71311
7.62939 0.555509 9.40941
58.6024 3.69679 15.5587
716.608 6.05577 118.172
END
$case145 << END
2.54511 0.282191 8.07471
7.62939 0.809884 7.95648
58.6024 6.75807 9.37539
716.608 63.5452 10.8309
END
$case149 << END
2.54511 0.272129 8.05899
7.62939 0.769498 9.69768
58.6024 2.28184 25.8908
716.608 4.99124 140.047
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
