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
"C, one core" 1441.9 1856.04 nan nan nan
"C, all cores" 17801.2 18901.1 nan nan nan
"filters on device, S and I chosen" 71590.6 nan 4692.15 65657.8 166380
"filters on device, S=4 I=64" 3917.2 nan 3809.93 71697 3962.15
"filters on device, S=16 I=256" 18844.5 nan 5108.93 66717.3 21604.7
"filters on device, S=64 I=256" 45564.5 nan 5587.37 67559.7 82969.5
"filters on device, S=256 I=256" 65127.5 nan 4845.87 69053.3 166568
"nothing to decode" 158615 nan nan nan 195624
"filters on two devices, S=64 I=256" 12318.4 nan nan 67277.9 nan
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'mjpeg.svg'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'mjpeg.png'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
