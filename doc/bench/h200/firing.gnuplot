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
4 0.3719 1.50665
64 1.69212 2.48356
1024 38.2999 24.2261
4096 61.852 29.3572
65536 1501.91 1497.43
1.04858e+06 61664.1 64567.7
END
$case12 << END
4 0.334094 16.5236
64 2.2916 4.05851
1024 48.4498 38.9354
4096 119.112 81.3066
65536 1441.13 1443.96
1.04858e+06 34577.7 36204.9
END
$case13 << END
4 0.334094 29.1648
64 2.2916 23.2593
1024 48.4498 31.4549
4096 119.112 36.411
65536 1441.13 878.756
1.04858e+06 34577.7 35674.5
END
$case36 << END
4096 188.933 79.7014
65536 1652.63 1420.11
1.04858e+06 34823.1 40577.9
END
$case37 << END
4096 188.933 39.0588
65536 1652.63 1042.03
1.04858e+06 34823.1 37843.4
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
