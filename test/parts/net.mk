tests_parts_net = \
	test/parts/udp_in.sh \
	test/parts/udp_out.sh
EXTRA_DIST += test/parts/net.sh
