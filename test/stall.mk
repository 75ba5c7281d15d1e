# Slow firings and launches, stops and continuations; networks in test/stall.
TESTS += test/stall.sh
EXTRA_DIST += test/stall.sh test/stall
