# Shadow copies of C processes.
TESTS += test/copies.sh
EXTRA_DIST += test/copies.sh
