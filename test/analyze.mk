# dalsynth --analyze and SDF3; graphs and expected results are in test/analyze.
TESTS += test/analyze.sh test/sizes.sh
EXTRA_DIST += test/analyze.sh test/sizes.sh test/analyze
