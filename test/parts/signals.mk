tests_parts_signals = \
	test/parts/gain.sh
