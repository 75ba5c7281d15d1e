tests_parts_net = \
	test/parts/udp_in.sh
EXTRA_DIST += test/parts/net.sh
