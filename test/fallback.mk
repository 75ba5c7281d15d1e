# Kernels that cannot be had, and what runs instead.
TESTS += test/fallback.sh
EXTRA_DIST += test/fallback.sh
