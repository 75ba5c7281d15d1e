set encoding utf8
set title 'Source, 8 x Identity, Sink: the cost of a firing'
set xlabel 'bytes of a token'
set ylabel 'ns a firing'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale x 2
set xtics ('4' 4, '64' 64, '1 Ki' 1024, '4 Ki' 4096, '64 Ki' 65536, '1 Mi' 1048576)
set logscale y
set key top left
$case0 << END
4 0.241594 5.42384
64 0.978938 5.29638
1024 17.9772 24.8832
4096 29.5488 32.4358
65536 1418 1451.8
1.04858e+06 27344.1 57770.2
END
$case12 << END
4 0.273045 5.74025
64 1.42763 5.70709
1024 33.5217 37.755
4096 140.933 137.773
65536 2132.29 2146.87
1.04858e+06 27852.8 35939.7
END
$case24 << END
4 0.223927 4.83494
64 1.47931 5.70285
1024 29.65 25.9136
4096 58.5121 62.3536
65536 1228.51 1228.37
1.04858e+06 19844.4 29726.9
END
$case25 << END
4 0.223927 24.9505
64 1.47931 20.2227
1024 29.65 29.9337
4096 58.5121 36.7377
65536 1228.51 733.943
1.04858e+06 19844.4 29055.9
END
$case48 << END
4096 68.9652 62.1815
65536 850.571 1195.23
1.04858e+06 21996.4 34789.7
END
$case49 << END
4096 68.9652 35.134
65536 850.571 806.713
1.04858e+06 21996.4 32236.6
END
$case60 << END
4096 122.081 106.276
65536 1190.69 1593.73
1.04858e+06 29261.7 31253.1
END
$case61 << END
4096 122.081 85.8293
65536 1190.69 1087.28
1.04858e+06 29261.7 23507.4
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'firing.svg'
plot 1/0 notitle, \
  $case0 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'one core', \
  $case0 using 1:3 with lines lc 1 lw 1.5 dt 2 title 'one core: limit', \
  $case12 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'one core, adding', \
  $case12 using 1:3 with lines lc 2 lw 1.5 dt 2 title 'one core, adding: limit', \
  $case24 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'two cores', \
  $case24 using 1:3 with lines lc 3 lw 1.5 dt 2 title 'two cores: a ring', \
  $case25 using 1:3 with lines lc 4 lw 1.5 dt 2 title 'two cores: a token-parallel loop', \
  $case48 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'two cores, shadow copies', \
  $case48 using 1:3 with lines lc 5 lw 1.5 dt 2 title 'two cores, shadow copies: a ring', \
  $case49 using 1:3 with lines lc 6 lw 1.5 dt 2 title 'two cores, shadow copies: a token-parallel loop', \
  $case60 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'two cores, shadow copies, adding', \
  $case60 using 1:3 with lines lc 7 lw 1.5 dt 2 title 'two cores, shadow copies, adding: a ring', \
  $case61 using 1:3 with lines lc 8 lw 1.5 dt 2 title 'two cores, shadow copies, adding: a token-parallel loop'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'firing.png'
plot 1/0 notitle, \
  $case0 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'one core', \
  $case0 using 1:3 with lines lc 1 lw 1.5 dt 2 title 'one core: limit', \
  $case12 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'one core, adding', \
  $case12 using 1:3 with lines lc 2 lw 1.5 dt 2 title 'one core, adding: limit', \
  $case24 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'two cores', \
  $case24 using 1:3 with lines lc 3 lw 1.5 dt 2 title 'two cores: a ring', \
  $case25 using 1:3 with lines lc 4 lw 1.5 dt 2 title 'two cores: a token-parallel loop', \
  $case48 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'two cores, shadow copies', \
  $case48 using 1:3 with lines lc 5 lw 1.5 dt 2 title 'two cores, shadow copies: a ring', \
  $case49 using 1:3 with lines lc 6 lw 1.5 dt 2 title 'two cores, shadow copies: a token-parallel loop', \
  $case60 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'two cores, shadow copies, adding', \
  $case60 using 1:3 with lines lc 7 lw 1.5 dt 2 title 'two cores, shadow copies, adding: a ring', \
  $case61 using 1:3 with lines lc 8 lw 1.5 dt 2 title 'two cores, shadow copies, adding: a token-parallel loop'
