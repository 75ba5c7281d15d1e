# The picture of README.md: what the network has counted in x.frames beside what was drawn, and how they differ.
set terminal pngcairo size 1500,560 font "sans,11"
set output "photon.png"
set multiplot layout 1,3 margins 0.03,0.95,0.06,0.9 spacing 0.07,0.1
unset key
set size ratio 0.5
set xrange [0:1023]
set yrange [511:0]
set tics scale 0
unset xtics
unset ytics
set logscale cb
set cbrange [1:1e6]
set palette defined (0 "black", 1 "midnight-blue", 2 "purple", 3 "orange", 4 "yellow", 5 "white")
set title "one frame: words of 16 bits"
unset logscale cb
set cbrange [1900:4000]
plot "x.frames" binary array=(1024,512) format="%uint16" skip=48 using 1 with image
set logscale cb
set cbrange [0.5:1e6]
set title "photons of 100 frames, counted"
plot "x.image" binary array=(1024,512) format="%uint32" skip=32 using ($1 > 0 ? $1 : 0.5) with image
set title "photons of 100 frames, as drawn"
plot "x.true" binary array=(1024,512) format="%uint32" skip=32 using ($1 > 0 ? $1 : 0.5) with image
unset multiplot
