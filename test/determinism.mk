# Random networks on random mappings: the same stream in every channel.
check_PROGRAMS += test/random_network
TESTS += test/determinism.sh
EXTRA_DIST += test/determinism.sh test/random/mix.h test/random/node.h test/random/tap.c

test_random_network_SOURCES = test/random_network.c test/random_sources.c test/random_plan.h \
	test/random_graph.c test/random_graph.h
