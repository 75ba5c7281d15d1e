set encoding utf8
set title 'Data transfer rate, relative to the limit'
set xlabel 'bytes of a token'
set ylabel 'rate / limit'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale x 2
set xtics ('512' 512, '4 Ki' 4096, '16 Ki' 16384, '64 Ki' 65536, '256 Ki' 262144, '1 Mi' 1048576, '4 Mi' 4194304)
set logscale y 2
set key outside right top
$case48 << END
4096 0.0352439 20.6615
65536 0.253791 20.161
1.04858e+06 0.579263 14.0793
END
$case51 << END
4096 0.800661 20.2435
65536 0.911962 21.3986
1.04858e+06 1.0092 14.0959
END
$case54 << END
4096 0.16872 20.2826
65536 0.185829 19.7597
1.04858e+06 0.207502 13.9524
END
$case57 << END
4096 1.47412 14.3422
65536 2.27142 14.9438
1.04858e+06 1.70705 14.399
END
$case60 << END
4096 1.44332 14.8195
65536 1.96572 14.0867
1.04858e+06 1.44784 14.102
END
$case63 << END
4096 1.0297 14.2486
65536 0.572425 14.6434
1.04858e+06 0.324823 14.2897
END
$case66 << END
4096 1.1533 12.3574
65536 1.43037 12.8679
1.04858e+06 1.24063 11.8225
END
$case69 << END
4096 1.12423 12.3027
65536 1.07028 12.2981
1.04858e+06 1.04944 11.7871
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'channel-ratio.svg'
plot 1/0 notitle, \
  $case48 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=2 I=16', \
  $case51 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=all I=16', \
  $case54 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, naive, S=1/8 I=16', \
  $case57 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'core to device, S=1/8 I=16', \
  $case60 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'device to core, S=1/8 I=16', \
  $case63 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'core to device and back, S=1/8 I=16', \
  $case66 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device, filled, S=1/8 I=16', \
  $case69 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to core, read, S=1/8 I=16', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'channel-ratio.png'
plot 1/0 notitle, \
  $case48 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=2 I=16', \
  $case51 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=all I=16', \
  $case54 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, naive, S=1/8 I=16', \
  $case57 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'core to device, S=1/8 I=16', \
  $case60 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'device to core, S=1/8 I=16', \
  $case63 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'core to device and back, S=1/8 I=16', \
  $case66 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device, filled, S=1/8 I=16', \
  $case69 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to core, read, S=1/8 I=16', \
  1 with lines lc rgb '#666666' dt 2 title 'limit'
