# The picture of README.md: gnuplot spectrum.gnuplot, in a folder with what `spectrum` has printed
# (samples.txt, multiplex.txt, left.txt, right.txt). Writes spectrum.png.
set terminal pngcairo size 900,940 font "sans-serif,11" background "white"
set output "spectrum.png"
set encoding utf8
set multiplot layout 3,1 margins 0.085,0.975,0.065,0.955 spacing 0,0.085
set border 3 lc rgb "#666666"
set tics nomirror out textcolor rgb "#333333"
set grid ytics xtics lc rgb "#e4e4e4" lw 1 lt 1
set style line 1 lc rgb "#1f5fa8" lw 1.2
set style line 2 lc rgb "#c8501e" lw 1.2
set style fill transparent solid 0.18 noborder
set title offset 0,-0.6
set key off
set ylabel "dB" offset 1,0

set title "The recording, 1024 kHz: the station at 256 kHz, a stronger neighbour at −144 kHz"
set xrange [-512:512]
set yrange [-70:0]
set xtics 128
set label 1 "station" at 256,-6 center textcolor rgb "#1f5fa8"
set label 2 "neighbour" at -144,-4 center textcolor rgb "#777777"
plot "samples.txt" using 1:($1>136&&$1<376?$2:1/0):(-70) with filledcurves y1=-70 lc rgb "#1f5fa8", \
     "samples.txt" using 1:2 with lines lc rgb "#999999" lw 1.2, \
     "samples.txt" using 1:($1>136&&$1<376?$2:1/0) with lines ls 1

unset label
set title "The multiplex after the discriminator, 256 kHz: left + right, the pilot, left − right"
set xrange [0:60]
set yrange [-100:0]
set xtics 5
set label 1 "left + right" at 7.5,-6 center textcolor rgb "#1f5fa8"
set label 2 "pilot" at 19,-11 center textcolor rgb "#1f5fa8"
set label 3 "left − right, on 38 kHz" at 38,-6 center textcolor rgb "#1f5fa8"
plot "multiplex.txt" using 1:2 with filledcurves y1=-100 lc rgb "#1f5fa8", \
     "multiplex.txt" using 1:2 with lines ls 1

unset label
set title "The sound, 48 kHz"
set xrange [0:24]
set yrange [-120:0]
set xtics 2
set xlabel "kHz" offset 0,0.3
set label 1 "left: 400 Hz and 3 kHz" at 23.6,-10 right textcolor rgb "#1f5fa8"
set label 2 "right: 1 kHz and 10 kHz" at 23.6,-20 right textcolor rgb "#c8501e"
plot "left.txt" using 1:2 with filledcurves y1=-120 lc rgb "#1f5fa8", \
     "right.txt" using 1:2 with filledcurves y1=-120 lc rgb "#c8501e", \
     "left.txt" using 1:2 with lines ls 1, "right.txt" using 1:2 with lines ls 2
unset multiplot
