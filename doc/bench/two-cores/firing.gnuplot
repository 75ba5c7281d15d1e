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
4 0.1852 3.57119
64 1.5276 3.69707
1024 23.9281 22.4045
4096 68.3922 82.9697
65536 1028.49 1021
1.04858e+06 32878.4 31907.5
END
$case12 << END
4 0.27698 3.6214
64 1.95934 3.94199
1024 31.6912 30.8423
4096 123.031 119.096
65536 1855.86 1749.51
1.04858e+06 30032.6 28302.4
END
$case24 << END
4 0.193072 5.12444
64 1.71848 8.59421
1024 28.1919 29.7422
4096 89.3341 83.2851
65536 1435.25 1399.67
1.04858e+06 12857.5 13641.1
END
$case25 << END
4 0.193072 11.5759
64 1.71848 9.80701
1024 28.1919 19.848
4096 89.3341 41.3989
65536 1435.25 593.074
1.04858e+06 12857.5 15900.5
END
$case48 << END
4096 145.289 224.701
65536 681.772 1532.09
1.04858e+06 13906.2 14330.8
END
$case49 << END
4096 145.289 85.8748
65536 681.772 701.456
1.04858e+06 13906.2 17259.7
END
$case60 << END
4096 85.0202 110.908
65536 1317.8 1713.49
1.04858e+06 14801.4 15667
END
$case61 << END
4096 85.0202 63.5352
65536 1317.8 1331.02
1.04858e+06 14801.4 13979.3
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
