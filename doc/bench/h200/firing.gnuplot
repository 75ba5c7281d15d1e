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
4 0.316563 5.72473
64 1.0394 5.59854
1024 17.5622 24.832
4096 39.8924 44.7059
65536 1542.98 1525.76
1.04858e+06 26434.6 54654.2
END
$case12 << END
4 0.22869 5.51545
64 1.3955 5.60114
1024 21.8389 23.6852
4096 100.817 82.6174
65536 1452.99 1467.31
1.04858e+06 28396.4 38924.3
END
$case24 << END
4 0.194637 4.33611
64 1.28687 5.44471
1024 31.2144 29.5287
4096 60.502 68.491
65536 1280.17 1281.75
1.04858e+06 33151.5 35919.2
END
$case25 << END
4 0.194637 25.2939
64 1.28687 21.2269
1024 31.2144 30.6359
4096 60.502 37.0744
65536 1280.17 783.363
1.04858e+06 33151.5 34162.2
END
$case48 << END
4096 71.1974 68.5422
65536 765.497 1270.48
1.04858e+06 20645.2 33078.3
END
$case49 << END
4096 71.1974 34.581
65536 765.497 738.137
1.04858e+06 20645.2 31885
END
$case60 << END
4096 86.3407 81.8337
65536 1161.4 1531.62
1.04858e+06 17741.1 25640.4
END
$case61 << END
4096 86.3407 61.9039
65536 1161.4 1094.48
1.04858e+06 17741.1 18758.4
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
