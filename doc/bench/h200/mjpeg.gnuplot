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
"C, one core" 1711.2 1807.51 nan nan nan
"C, all cores" 18168.5 16723.5 nan nan nan
"filters on device, S=4 I=64" 5090.8 nan 4812.9 70842 5003.79
"filters on device, S=16 I=64" 19309.6 nan 6822.03 80446.6 19902.3
"filters on device, S=16 I=256" 21447.9 nan 7051.44 82253.4 24937.4
"filters on device, S=64 I=64" 45878.6 nan 5407.16 83523.7 75086.3
"filters on device, S=64 I=256" 48817.4 nan 7519.18 108020 93619.7
"filters on device, S=128 I=256" 61925.6 nan 7817.56 89509.4 172390
"filters on device, S=256 I=256" 73655.9 nan 7458.64 85323.3 177381
"filters on device, S=512 I=256" 85072 nan 7302.93 82027.9 183339
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'mjpeg.svg'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'mjpeg.png'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
