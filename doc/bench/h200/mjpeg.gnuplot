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
"C, one core" 1875.6 1919.19 nan nan nan
"C, all cores" 23827.6 16966.4 nan nan nan
"filters on device, S and I chosen" 92158.8 nan 7085.71 85897.9 164571
"filters on device, S=4 I=64" 3923.1 nan 3824.51 84513.3 3970.93
"filters on device, S=16 I=256" 21585.2 nan 6837.49 81700 21726
"filters on device, S=64 I=256" 59983.3 nan 6074.24 79564.1 83235.6
"filters on device, S=256 I=256" 76732.8 nan 5054.46 78799.9 164755
"nothing to decode" 162450 nan nan nan 190759
"filters on two devices, S=64 I=256" 23898.8 nan nan 79602.9 nan
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'mjpeg.svg'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'mjpeg.png'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
