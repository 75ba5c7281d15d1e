# What processes may not call, with a network in test/calls.
TESTS += test/calls.sh
EXTRA_DIST += test/calls.sh test/calls
