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
4 0.341953 1.38151
64 1.43358 2.32298
1024 25.8551 18.5942
4096 51.6867 26.1532
65536 1373.69 1327.94
1.04858e+06 49370.5 52720.4
END
$case12 << END
4 0.373871 19.0407
64 1.72229 5.86307
1024 32.4017 28.1591
4096 96.2821 63.4278
65536 1225.25 1198.67
1.04858e+06 27357.8 28888.2
END
$case13 << END
4 0.373871 74.4725
64 1.72229 21.6251
1024 32.4017 28.6417
4096 96.2821 29.9797
65536 1225.25 699.69
1.04858e+06 27357.8 28585.1
END
$case36 << END
4096 220.209 64.9772
65536 1185.01 1184.74
1.04858e+06 25148.3 28009.6
END
$case37 << END
4096 220.209 31.8703
65536 1185.01 748.74
1.04858e+06 25148.3 27463.4
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
