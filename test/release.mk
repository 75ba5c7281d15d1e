# What must be so for a release; the check of this tree itself is `make release`.
TESTS += test/release.sh
EXTRA_DIST += test/release.sh
