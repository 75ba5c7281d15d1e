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
"C, one core" 1502 1586.65 nan nan nan
"C, all cores" 17697.1 16186.5 nan nan nan
"filters on device, S=4 I=64" 4033.6 nan 3801.28 80562.9 3961.45
"filters on device, S=16 I=64" 15803.1 nan 6040.38 82322.4 15450.8
"filters on device, S=16 I=256" 21039.1 nan 6670.5 80954.9 21714.4
"filters on device, S=64 I=64" 48653.8 nan 6682.3 79761.9 60974.2
"filters on device, S=64 I=256" 53525.9 nan 5283.87 79700 83696.4
"filters on device, S=128 I=256" 61232.9 nan 6482.51 80350.6 155689
"filters on device, S=256 I=256" 69609.8 nan 6221.72 81308.5 163460
"filters on device, S=512 I=256" 70570.5 nan 5021.24 80453 170845
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'mjpeg.svg'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'mjpeg.png'
plot $bars using 2:xtic(1) title 'network' lc 1, '' using 3 title 'by hand, C' lc 2, '' using 4 title 'by hand, OpenCL' lc 3, '' using 5 title 'decoding alone' lc 4, '' using 6 title 'filters alone' lc 5
