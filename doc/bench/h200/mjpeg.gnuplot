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
"C, one core" 1529.8 1785.71 nan nan nan
"C, all cores" 18039 19273.7 nan nan nan
"filters on device, S and I chosen" 65678.3 nan 4420.46 65377.5 165696
"filters on device, S=4 I=64" 3925.7 nan 3799.5 67871.8 3972.94
"filters on device, S=16 I=256" 21228.7 nan 4854.35 67773.6 21574.6
"filters on device, S=64 I=256" 50622.9 nan 5740.88 63995.1 84906
"filters on device, S=256 I=256" 62544.8 nan 5153.74 65607 166129
"nothing to decode" 159389 nan nan nan 195634
"filters on two devices, S=64 I=256" 21768.2 nan nan 68005.3 nan
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'mjpeg.svg'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'mjpeg.png'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
