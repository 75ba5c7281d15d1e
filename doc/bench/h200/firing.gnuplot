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
4 0.298067 1.59425
64 1.26806 2.5534
1024 20.1083 20.6172
4096 34.6034 30.546
65536 1713.49 1695.63
1.04858e+06 56918.5 60673.7
END
$case12 << END
4 0.234368 12.6097
64 1.32649 3.7201
1024 35.6636 33.6232
4096 71.4159 68.8005
65536 1382.88 1317.45
1.04858e+06 35540.5 39346.6
END
$case13 << END
4 0.234368 26.2105
64 1.32649 22.5931
1024 35.6636 33.4963
4096 71.4159 35.0832
65536 1382.88 781.858
1.04858e+06 35540.5 38145.6
END
$case36 << END
4096 109.425 73.4172
65536 1181.42 1373.75
1.04858e+06 33896.9 39857.1
END
$case37 << END
4096 109.425 40.9809
65536 1181.42 925.171
1.04858e+06 33896.9 40761.7
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'firing.svg'
plot 1/0 notitle, \
  $case0 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'one core', \
  $case0 using 1:3 with lines lc 1 lw 1.5 dt 2 title 'one core: limit', \
  $case12 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'two cores', \
  $case12 using 1:3 with lines lc 2 lw 1.5 dt 2 title 'two cores: a ring', \
  $case13 using 1:3 with lines lc 3 lw 1.5 dt 2 title 'two cores: a token-parallel loop', \
  $case36 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'two cores, shadow copies', \
  $case36 using 1:3 with lines lc 4 lw 1.5 dt 2 title 'two cores, shadow copies: a ring', \
  $case37 using 1:3 with lines lc 5 lw 1.5 dt 2 title 'two cores, shadow copies: a token-parallel loop'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'firing.png'
plot 1/0 notitle, \
  $case0 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'one core', \
  $case0 using 1:3 with lines lc 1 lw 1.5 dt 2 title 'one core: limit', \
  $case12 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'two cores', \
  $case12 using 1:3 with lines lc 2 lw 1.5 dt 2 title 'two cores: a ring', \
  $case13 using 1:3 with lines lc 3 lw 1.5 dt 2 title 'two cores: a token-parallel loop', \
  $case36 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'two cores, shadow copies', \
  $case36 using 1:3 with lines lc 4 lw 1.5 dt 2 title 'two cores, shadow copies: a ring', \
  $case37 using 1:3 with lines lc 5 lw 1.5 dt 2 title 'two cores, shadow copies: a token-parallel loop'
