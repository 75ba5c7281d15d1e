# Fan-out in whole programs.
TESTS += test/fanout.sh
EXTRA_DIST += test/fanout.sh
