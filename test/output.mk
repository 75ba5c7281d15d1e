# What cannot be written.
TESTS += test/output.sh
EXTRA_DIST += test/output.sh
