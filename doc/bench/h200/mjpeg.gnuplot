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
"C, one core" 1679.8 1684.86 nan nan nan
"C, all cores" 20568.7 15422.6 nan nan nan
"filters on device, S and I chosen" 80695.1 nan 5058.45 76907.5 165357
"filters on device, S=4 I=64" 3856.3 nan 3746.98 75629.2 3903.5
"filters on device, S=16 I=256" 21407.8 nan 5667.98 77245.8 21362.2
"filters on device, S=64 I=256" 54532.7 nan 6434.27 73802.2 84914.9
"filters on device, S=256 I=256" 70519.3 nan 5976.88 76425.1 165473
"nothing to decode" 161521 nan nan nan 195446
"nothing to decode, two devices" 14670.5 nan nan nan nan
"filters on two devices, S=64 I=256" 11916.6 nan nan 78665.9 nan
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'mjpeg.svg'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'mjpeg.png'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
