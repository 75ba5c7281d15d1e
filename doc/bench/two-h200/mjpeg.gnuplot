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
"C, one core" 2102.6 2352.6 nan nan nan
"C, all cores" 32617.2 40092.1 nan nan nan
"filters on device, S and I chosen" 106692 nan 5515.6 146051 166168
"filters on device, S=4 I=64" 3849.4 nan 3805.52 142054 3964.27
"filters on device, S=16 I=256" 20407.5 nan 8139.71 156861 21466.8
"filters on device, S=64 I=256" 46005.9 nan 6704.36 136754 84935.7
"filters on device, S=256 I=256" 79621 nan 6610.82 147430 165205
"nothing to decode" 153542 nan nan nan 195802
"nothing to decode, two alike" 152401 nan nan nan nan
"filters on two devices, S=64 I=256" 68398.6 nan nan 147413 nan
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'mjpeg.svg'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'mjpeg.png'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
