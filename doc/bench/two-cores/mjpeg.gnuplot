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
"C, one core" 1936.8 1849.77 nan nan nan
"C, all cores" 3616.4 3708.19 nan nan nan
"filters on device, S and I chosen" 2411.2 nan 2533.66 13960.6 3477.8
"filters on device, S=1 I=64" 2054 nan 2337.94 14381.8 2382.29
"filters on device, S=4 I=16" 3068.6 nan 2953.73 14347.8 4252.51
"filters on device, S=4 I=64" 2594.8 nan 2509.99 13294 3978.29
"filters on device, S=16 I=256" 3006.5 nan 2475.18 14189.2 3823.87
"nothing to decode" 4451.23 nan nan nan 2859.5
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'mjpeg.svg'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'mjpeg.png'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
