set encoding utf8
set title 'Cost of a firing over the size of the network'
set xlabel 'processes'
set ylabel 'ns a firing'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale x
set yrange [0:*]
$case162 << END
10 0.401906 1.50973
100 0.247424 2.06569
1000 0.437755 2.02033
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'scale.svg'
plot 1/0 notitle, \
  $case162 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'one firing', \
  $case162 using 1:3 with lines lc 1 lw 1.5 dt 2 title 'one firing: limit'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'scale.png'
plot 1/0 notitle, \
  $case162 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'one firing', \
  $case162 using 1:3 with lines lc 1 lw 1.5 dt 2 title 'one firing: limit'
