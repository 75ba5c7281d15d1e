# Files that are none, and initial tokens from files.
TESTS += test/files.sh
EXTRA_DIST += test/files.sh
