# Floating point: the same bytes everywhere.
TESTS += test/float.sh
EXTRA_DIST += test/float.sh
