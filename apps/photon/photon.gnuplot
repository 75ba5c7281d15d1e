# The picture of README.md: a frame of x.frames, what the network has counted in all of them, and what was drawn. The middle
# half of the detector.
set terminal pngcairo size 1200,370 font "sans,10"
set output "photon.png"
set multiplot layout 1,3 margins 0.01,0.93,0.03,0.92 spacing 0.07,0.1
unset key
set size ratio 1
set xrange [256:767]
set yrange [511:0]
unset xtics
unset ytics
set palette defined (0 "black", 1 "midnight-blue", 2 "purple", 3 "orange", 4 "yellow", 5 "white")
set title "one frame"
set cbrange [1900:4000]
plot "x.frames" binary array=(1024,512) format="%uint16" skip=48 using 1 with image
set logscale cb
set cbrange [0.5:1e6]
set format cb "10^{%L}"
set title "photons in 100 frames, as counted"
plot "x.image" binary array=(1024,512) format="%uint32" skip=32 using ($1 > 0 ? $1 : 0.5) with image
set title "photons in 100 frames, as drawn"
plot "x.true" binary array=(1024,512) format="%uint32" skip=32 using ($1 > 0 ? $1 : 0.5) with image
unset multiplot
