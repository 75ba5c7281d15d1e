# Kernels in a simulator that looks for races and bad accesses.
TESTS += test/oclgrind.sh
EXTRA_DIST += test/oclgrind.sh
