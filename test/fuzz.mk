# The fuzz target, for a few seconds.
TESTS += test/fuzz/fuzz.sh
EXTRA_DIST += test/fuzz/fuzz.sh test/fuzz/fuzz_spec.c
