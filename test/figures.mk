# The thesis's listings in shape.
TESTS += test/figures.sh
EXTRA_DIST += test/figures.sh test/figures/network.xml test/figures/architecture.xml \
	test/figures/mapping.xml test/figures/probe.c test/figures/meter.c test/figures/meter.cl
