# Full disks and signals.
TESTS += test/ends.sh
EXTRA_DIST += test/ends.sh
