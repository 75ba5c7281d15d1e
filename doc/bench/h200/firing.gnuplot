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
4 0.406928 2.17887
64 2.97823 3.53186
1024 38.923 26.9005
4096 90.8163 82.2941
65536 1969.72 1967.9
1.04858e+06 69987 76279.1
END
$case12 << END
4 0.247799 8.17214
64 2.01189 8.26758
1024 36.9732 39.2047
4096 91.3214 89.0214
65536 1533.49 1499.27
1.04858e+06 33799.4 39935.1
END
$case13 << END
4 0.247799 28.9364
64 2.01189 24.4157
1024 36.9732 34.3688
4096 91.3214 41.9525
65536 1533.49 874.52
1.04858e+06 33799.4 37189.8
END
$case36 << END
4096 125.43 68.7307
65536 1114.37 1446.48
1.04858e+06 35341.1 42756.6
END
$case37 << END
4096 125.43 45.9092
65536 1114.37 1036.27
1.04858e+06 35341.1 41477.1
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
