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
"C, one core" 1640.1 1501.1 nan nan nan
"C, all cores" 21147.4 19866.9 nan nan nan
"filters on device, S and I chosen" 70093.6 nan 4292.17 72134.4 165054
"filters on device, S=4 I=64" 3911.6 nan 3791.14 69826.7 3965.31
"filters on device, S=16 I=256" 21196.8 nan 5315.6 72561.4 21702
"filters on device, S=64 I=256" 50305.3 nan 6060.24 68628 84946.6
"filters on device, S=256 I=256" 69247.2 nan 5504.3 65368.7 166266
"nothing to decode" 161466 nan nan nan 195464
"filters on two devices, S=64 I=256" 23879.4 nan nan 72973.2 nan
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'mjpeg.svg'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'mjpeg.png'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
