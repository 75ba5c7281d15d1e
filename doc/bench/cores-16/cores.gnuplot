set encoding utf8
set title 'A chain of eight processes on more cores'
set xlabel 'cores'
set ylabel 'tokens a second'
set grid lt 1 lw 0.5 lc rgb '#cccccc'
set border 3
set tics nomirror
set key spacing 1.2
set datafile missing 'nan'
set logscale x 2
set xtics (1, 2, 4, 8, 16, 24, 32)
set logscale y
set format y '10^{%T}'
set key outside right top
$case0 << END
1 5.02429e+06 0.368595
2 9.74871e+06 0.187811
4 1.72573e+07 0.0940837
8 2.98819e+07 0.048391
16 5.35861e+07 0.0241446
END
$case1 << END
1 5.02429e+06 0.488955
2 9.74871e+06 1.04592
4 1.72573e+07 1.00405
8 2.98819e+07 1.05283
16 5.35861e+07 1.07174
END
$case2 << END
1 5.02429e+06 0.385271
2 9.74871e+06 0.192636
4 1.72573e+07 0.0963178
8 2.98819e+07 0.0481589
16 5.35861e+07 0.0240794
END
$case6 << END
2 9.74871e+06 0.199033
4 1.72573e+07 0.102578
8 2.98819e+07 0.0579463
16 5.35861e+07 0.0334651
END
$case19 << END
1 24500.2 40.8529
2 48762.5 20.3734
4 93942.6 10.1535
8 186027 5.08669
16 372323 2.55181
END
$case20 << END
1 24500.2 41.0699
2 48762.5 20.7354
4 93942.6 10.7044
8 186027 5.85978
16 372323 3.46085
END
$case21 << END
1 24500.2 40.4163
2 48762.5 20.2081
4 93942.6 10.1041
8 186027 5.05203
16 372323 2.52602
END
$case25 << END
2 48762.5 40.816
4 93942.6 20.5076
8 186027 10.6448
16 372323 5.37556
END
$case38 << END
1 70484.9 14.1034
2 132303 7.23847
4 253323 3.55506
8 488184 1.80095
16 882668 0.920781
END
$case39 << END
1 70484.9 14.5563
2 132303 7.8739
4 253323 4.35103
8 488184 2.98937
16 882668 2.62475
END
$case40 << END
1 70484.9 14.4015
2 132303 7.20074
4 253323 3.60037
8 488184 1.80019
16 882668 0.900093
END
$case44 << END
2 132303 14.1874
4 253323 7.55841
8 488184 3.94753
16 882668 2.04841
END
set terminal svg size 900,560 font 'sans,13' background 'white'
set output 'cores.svg'
plot 1/0 notitle, \
  $case0 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'T=64 W=30', \
  $case19 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'T=64 W=3000', \
  $case38 using 1:2 with linespoints lc 9 lw 2 dt 4 pt 13 title 'T=4096 W=1000'
set terminal pngcairo size 1200,750 font 'sans,13'
set output 'cores.png'
plot 1/0 notitle, \
  $case0 using 1:2 with linespoints lc 1 lw 2 dt 1 pt 5 title 'T=64 W=30', \
  $case19 using 1:2 with linespoints lc 5 lw 2 dt 1 pt 9 title 'T=64 W=3000', \
  $case38 using 1:2 with linespoints lc 9 lw 2 dt 4 pt 13 title 'T=4096 W=1000'
