set encoding utf8
set title 'OpenCL and optimised C relative to C without optimisation'
set xlabel 'us a token, C -O0'
set ylabel 'speed-up'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale xy
set key bottom right
$case87 << END
1.58781 1 1.03615
5.01305 1 6.09388
56.4781 1 43.6629
430.9 1 419.98
END
$case91 << END
1.58781 5.9339 0.146175
5.01305 4.48739 1.0246
56.4781 3.97917 10.4598
430.9 4.46675 95.1741
END
$case95 << END
1.58781 9.74448 0.0153952
5.01305 25.4314 0.0888305
56.4781 66.6798 0.777908
430.9 58.329 7.44612
END
$case99 << END
1.58781 0.17862 5.20278
5.01305 0.48425 6.40344
56.4781 1.21166 43.9747
430.9 1.13712 366.218
END
$case103 << END
1.58781 0.14996 7.5652
5.01305 0.495186 7.98407
56.4781 1.46386 35.4624
430.9 1.18114 376.654
END
$case107 << END
1.58781 0.150911 5.3013
5.01305 0.316257 9.01365
56.4781 1.20397 39.7505
430.9 1.17696 362.266
END
$case111 << END
1.58781 0.194273 7.44841
5.01305 0.594229 4.14134
56.4781 6.17562 11.253
430.9 12.6616 32.807
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'overhead.svg'
plot 1/0 notitle, \
  $case87 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'C -O0', \
  $case91 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'C -O2', \
  $case95 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'C -O3 -march=native', \
  $case99 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'OpenCL I=1', \
  $case103 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'OpenCL I=16', \
  $case107 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'OpenCL I=256', \
  $case111 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'OpenCL I=4, 16 words at a time'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'overhead.png'
plot 1/0 notitle, \
  $case87 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'C -O0', \
  $case91 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'C -O2', \
  $case95 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'C -O3 -march=native', \
  $case99 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'OpenCL I=1', \
  $case103 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'OpenCL I=16', \
  $case107 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'OpenCL I=256', \
  $case111 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'OpenCL I=4, 16 words at a time'
