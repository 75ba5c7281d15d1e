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
"C, one core" 1593.3 1692.68 nan nan nan
"C, all cores" 14107.8 14203.5 nan nan nan
"filters on device, S=4 I=64" 5042.8 nan 4726.5 54378.2 4954.19
"filters on device, S=4 I=256" 6096.7 nan 4667.39 53869.5 6173.08
"filters on device, S=16 I=64" 18464.4 nan 4745.59 50535 19780.4
"filters on device, S=16 I=256" 20962.1 nan 6212.11 56103.2 24507.8
"filters on device, S=64 I=64" 42434 nan 4954.73 56307.5 75305.6
"filters on device, S=64 I=256" 42259 nan 6197.42 55332 93087.2
"filters on device, S=128 I=256" 51810 nan 4953.09 53854.5 172841
"filters on device, S=256 I=256" 56893.6 nan 6315.27 55343.3 178408
"filters on device, S=512 I=256" 59212.5 nan 6366.8 57251.4 182392
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'mjpeg.svg'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'mjpeg.png'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
