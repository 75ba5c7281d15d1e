set encoding utf8
set title 'MJPEG: frames per second'
set xlabel ''
set ylabel 'frames/s'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.8
set boxwidth 0.9
set yrange [0:*]
set xtics rotate by -25
set rmargin 14
set key top left
$bars << END
"C, one core" 2296.3 1918.51 nan nan nan
"C, all cores" 4309.9 4607.67 nan nan nan
"filters on device, S and I chosen" 3945.9 nan 2943.83 16035.4 5287.21
"filters on device, S=1 I=64" 2597.4 nan 3015.18 15026.1 3221.83
"filters on device, S=4 I=16" 4147.7 nan 4297.28 18469.3 6786.14
"filters on device, S=4 I=64" 4024.4 nan 4085.81 17908.4 6518.17
"filters on device, S=16 I=256" 3900.2 nan 3743.79 18559.5 6106.22
"nothing to decode" 4952.04 nan nan nan 4749.74
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'mjpeg.svg'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'mjpeg.png'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
