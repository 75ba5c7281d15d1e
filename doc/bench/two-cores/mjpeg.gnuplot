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
"C, one core" 2295.6 2340.61 nan nan nan
"C, all cores" 4570.4 4679.52 nan nan nan
"filters on device, S and I chosen" 4172.7 nan 3947.36 17922.3 4453.72
"filters on device, S=1 I=64" 2240.1 nan 2583.38 14459.5 2419.24
"filters on device, S=4 I=16" 4055.6 nan 4412.89 18015.9 6424.24
"filters on device, S=4 I=64" 3752.8 nan 3463.65 17879.4 5903.53
"filters on device, S=16 I=256" 4029.3 nan 3200.93 17841.6 6506.52
"nothing to decode" 6352.67 nan nan nan 3840.12
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'mjpeg.svg'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'mjpeg.png'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
