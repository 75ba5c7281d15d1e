# dalbench: that it measures what it says, not how fast anything is.
TESTS += test/bench.sh
EXTRA_DIST += test/bench.sh
