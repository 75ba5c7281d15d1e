set encoding utf8
set title 'Data transfer rate from Producer to Consumer'
set xlabel 'bytes of a token'
set ylabel 'GB/s'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale x 2
set xtics ('512' 512, '4 Ki' 4096, '16 Ki' 16384, '64 Ki' 65536, '256 Ki' 262144, '1 Mi' 1048576, '4 Mi' 4194304)
set logscale y
set key outside right top
$case48 << END
4096 0.728192 20.6615
65536 5.11668 20.161
1.04858e+06 8.15559 14.0793
END
$case51 << END
4096 16.2081 20.2435
65536 19.5147 21.3986
1.04858e+06 14.2256 14.0959
END
$case54 << END
4096 3.42208 20.2826
65536 3.67193 19.7597
1.04858e+06 2.89514 13.9524
END
$case57 << END
4096 21.142 14.3422
65536 33.9436 14.9438
1.04858e+06 24.5798 14.399
END
$case60 << END
4096 21.3892 14.8195
65536 27.6905 14.0867
1.04858e+06 20.4175 14.102
END
$case63 << END
4096 14.6718 14.2486
65536 8.38225 14.6434
1.04858e+06 4.64164 14.2897
END
$case66 << END
4096 14.2519 12.3574
65536 18.4059 12.8679
1.04858e+06 14.6673 11.8225
END
$case69 << END
4096 13.831 12.3027
65536 13.1624 12.2981
1.04858e+06 12.3699 11.7871
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'channel.svg'
plot 1/0 notitle, \
  $case48 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=2 I=16', \
  $case51 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=all I=16', \
  $case54 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, naive, S=1/8 I=16', \
  $case57 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'core to device, S=1/8 I=16', \
  $case60 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'device to core, S=1/8 I=16', \
  $case63 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'core to device and back, S=1/8 I=16', \
  $case66 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device, filled, S=1/8 I=16', \
  $case69 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to core, read, S=1/8 I=16'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'channel.png'
plot 1/0 notitle, \
  $case48 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'same device, S=2 I=16', \
  $case51 using 1:2 with linespoints lc 2 lw 2 dt 1 pt 6 title 'same device, S=all I=16', \
  $case54 using 1:2 with linespoints lc 3 lw 2 dt 1 pt 7 title 'same device, naive, S=1/8 I=16', \
  $case57 using 1:2 with linespoints lc 4 lw 2 dt 1 pt 8 title 'core to device, S=1/8 I=16', \
  $case60 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'device to core, S=1/8 I=16', \
  $case63 using 1:2 with linespoints lc 6 lw 2 dt 1 pt 10 title 'core to device and back, S=1/8 I=16', \
  $case66 using 1:2 with linespoints lc 7 lw 2 dt 1 pt 11 title 'core to device, filled, S=1/8 I=16', \
  $case69 using 1:2 with linespoints lc 8 lw 2 dt 1 pt 12 title 'device to core, read, S=1/8 I=16'
