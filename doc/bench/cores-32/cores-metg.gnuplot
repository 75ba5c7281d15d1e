set encoding utf8
set title 'The least task that keeps half of the cores busy'
set xlabel 'cores'
set ylabel 'us'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale x 2
set xtics (1, 2, 4, 8, 16, 24, 32)
set logscale y
set key outside right top
$case81 << END
32 0.922676 0.0055241
END
$case82 << END
32 6.62653 5.33116
END
$case83 << END
32 4.7066 5.74855
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'cores-metg.svg'
plot 1/0 notitle, \
  $case81 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'METG independent', \
  $case81 using 1:3 with lines lc 1 lw 1.5 dt 2 title 'METG independent: OpenMP', \
  $case82 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'METG stencil', \
  $case82 using 1:3 with lines lc 2 lw 1.5 dt 2 title 'METG stencil: OpenMP', \
  $case83 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'METG random nearest', \
  $case83 using 1:3 with lines lc 3 lw 1.5 dt 2 title 'METG random nearest: OpenMP'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'cores-metg.png'
plot 1/0 notitle, \
  $case81 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'METG independent', \
  $case81 using 1:3 with lines lc 1 lw 1.5 dt 2 title 'METG independent: OpenMP', \
  $case82 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'METG stencil', \
  $case82 using 1:3 with lines lc 2 lw 1.5 dt 2 title 'METG stencil: OpenMP', \
  $case83 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'METG random nearest', \
  $case83 using 1:3 with lines lc 3 lw 1.5 dt 2 title 'METG random nearest: OpenMP'
