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
4 0.347722 6.57684
64 2.05956 6.58039
1024 26.5911 34.2421
4096 30.8063 34.1171
65536 1476.17 1572.2
1.04858e+06 32557 67442.4
END
$case12 << END
4 0.427646 6.30857
64 2.79557 6.57423
1024 35.8689 41.841
4096 143.779 121.537
65536 1558.47 1688.89
1.04858e+06 62007.1 48432
END
$case24 << END
4 0.275723 16.789
64 1.29954 5.73598
1024 24.8448 30.8697
4096 65.6577 71.8063
65536 1248.08 1271.38
1.04858e+06 27934.8 35272.1
END
$case25 << END
4 0.275723 34.6434
64 1.29954 6.23254
1024 24.8448 38.2335
4096 65.6577 42.8083
65536 1248.08 756.909
1.04858e+06 27934.8 33417.6
END
$case48 << END
4096 98.1264 86.1863
65536 1189.55 1427.89
1.04858e+06 20963.2 35820.5
END
$case49 << END
4096 98.1264 44.8869
65536 1189.55 1065.85
1.04858e+06 20963.2 33286.5
END
$case60 << END
4096 112.78 99.2009
65536 782.106 1542.08
1.04858e+06 16618.7 24806.5
END
$case61 << END
4096 112.78 83.986
65536 782.106 666.293
1.04858e+06 16618.7 17291.8
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
