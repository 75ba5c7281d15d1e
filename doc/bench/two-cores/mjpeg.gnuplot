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
"C, one core" 1792 1686.58 nan nan nan
"C, all cores" 3265.2 3854.05 nan nan nan
"filters on device, S and I chosen" 2828.9 nan 2211.89 14189.3 3572.97
"filters on device, S=1 I=64" 1749.8 nan 2049.79 14702.4 2370.06
"filters on device, S=4 I=16" 2380.8 nan 2559.14 14391.1 3756.19
"filters on device, S=4 I=64" 2816 nan 3148.78 14915.7 4228.88
"filters on device, S=16 I=256" 2795.3 nan 2610.12 13199 3758.29
"nothing to decode" 4016.3 nan nan nan 3131.42
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'mjpeg.svg'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'mjpeg.png'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
