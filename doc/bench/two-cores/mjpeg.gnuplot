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
"C, one core" 1942.6 1925.44 nan nan nan
"C, all cores" 3787.7 3817.2 nan nan nan
"filters on device, S=1 I=64" 2108.6 nan 2624.85 14134.7 2561.76
"filters on device, S=4 I=16" 3474 nan 3479.13 14288.8 5142.5
"filters on device, S=4 I=64" 3290.7 nan 3116.92 13913.9 4980.62
"filters on device, S=16 I=256" 3631.5 nan 3097.25 14069.6 5319.69
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'mjpeg.svg'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'mjpeg.png'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
