tests_parts_net = \
	test/parts/detector.sh \
	test/parts/equaliser.sh \
	test/parts/tcp_in.sh \
	test/parts/tcp_out.sh \
	test/parts/udp_in.sh \
	test/parts/udp_out.sh \
	test/parts/zmq_in.sh \
	test/parts/zmq_out.sh
EXTRA_DIST += test/parts/net.sh
