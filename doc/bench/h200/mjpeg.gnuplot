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
"C, one core" 1619.3 1701.89 nan nan nan
"C, all cores" 18691.3 15519.4 nan nan nan
"filters on device, S and I chosen" 65828.5 nan 5010.89 71251.3 160474
"filters on device, S=4 I=64" 3866.2 nan 3730.38 67571.6 3914.28
"filters on device, S=16 I=256" 16957.6 nan 4800.92 67588.7 21573.9
"filters on device, S=64 I=256" 47851.9 nan 6419.21 73613.1 82301.2
"filters on device, S=256 I=256" 64104.9 nan 5732.38 64210.1 160495
"nothing to decode" 162997 nan nan nan 191466
"filters on two devices, S=64 I=256" 22394.2 nan nan 66814.1 nan
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'mjpeg.svg'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'mjpeg.png'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
