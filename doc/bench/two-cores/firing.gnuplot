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
4 0.382039 1.59118
64 1.54878 3.58347
1024 27.1541 20.1873
4096 57.9473 29.5892
65536 1453.91 1445.43
1.04858e+06 52558.4 55602.2
END
$case12 << END
4 0.221054 11.3014
64 2.00753 6.29393
1024 40.1459 30.9049
4096 108.11 66.129
65536 1285.29 1270.43
1.04858e+06 29783.7 31661.7
END
$case13 << END
4 0.221054 21.8413
64 2.00753 21.4986
1024 40.1459 27.8314
4096 108.11 31.7616
65536 1285.29 732.379
1.04858e+06 29783.7 32850.6
END
$case36 << END
4096 145.832 68.1002
65536 917.564 1268.58
1.04858e+06 28695.8 33132.4
END
$case37 << END
4096 145.832 32.8148
65536 917.564 738.335
1.04858e+06 28695.8 31046
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
