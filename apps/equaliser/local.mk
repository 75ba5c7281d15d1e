equaliserdir = $(examplesdir)/equaliser
dist_equaliser_DATA = \
	apps/equaliser/README.md apps/equaliser/Makefile apps/equaliser/bands.xml apps/equaliser/equaliser.xml apps/equaliser/live.xml
