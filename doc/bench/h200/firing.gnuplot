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
4 0.273508 5.94673
64 1.96642 6.31365
1024 29.4255 33.077
4096 36.029 35.9088
65536 1555.56 1562.3
1.04858e+06 38790.8 68600.4
END
$case12 << END
4 0.275108 6.00228
64 1.61136 6.1616
1024 42.9093 42.0424
4096 102.059 97.5012
65536 1666.92 1608.26
1.04858e+06 53203.1 52816.3
END
$case24 << END
4 0.30675 7.9243
64 2.15272 9.3102
1024 43.2298 44.2077
4096 100.973 101.442
65536 1389.93 1352.63
1.04858e+06 34942.3 41802.5
END
$case25 << END
4 0.30675 29.4593
64 2.15272 28.6879
1024 43.2298 42.5458
4096 100.973 49.0056
65536 1389.93 959.277
1.04858e+06 34942.3 38438.5
END
$case48 << END
4096 100.944 94.2885
65536 952.866 1607.36
1.04858e+06 32012.3 44991.1
END
$case49 << END
4096 100.944 46.0406
65536 952.866 855.183
1.04858e+06 32012.3 44196
END
$case60 << END
4096 143.937 138.459
65536 1395.97 1921.14
1.04858e+06 38204.6 39750
END
$case61 << END
4096 143.937 104.429
65536 1395.97 1224.73
1.04858e+06 38204.6 35029.9
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
