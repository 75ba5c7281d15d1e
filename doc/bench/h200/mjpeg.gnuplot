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
"C, one core" 1693.8 1835.47 nan nan nan
"C, all cores" 18874.9 14937.4 nan nan nan
"filters on device, S=4 I=64" 2571.7 nan 2603.54 65587.5 2723.3
"filters on device, S=4 I=256" 3244.5 nan 3186.5 60669.6 3373.98
"filters on device, S=16 I=64" 9901 nan 6743.94 59258.4 10654.4
"filters on device, S=16 I=256" 12367 nan 6566.51 61004.8 13122.4
"filters on device, S=64 I=64" 33509.7 nan 6887.1 60191 36357.9
"filters on device, S=64 I=256" 40905.3 nan 6815.55 61533.4 43239.8
"filters on device, S=128 I=256" 51213.9 nan 7130.85 62346.3 86425.2
"filters on device, S=256 I=256" 60617 nan 6946.73 64312.2 96594.1
"filters on device, S=512 I=256" 67274.7 nan 6964.85 64742.8 103160
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'mjpeg.svg'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'mjpeg.png'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
