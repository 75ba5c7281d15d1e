normalisedir = $(examplesdir)/normalise
dist_normalise_DATA = \
	apps/normalise/README.md apps/normalise/Makefile apps/normalise/normalise.xml \
	apps/normalise/map-cores.xml apps/normalise/map-cuda.xml apps/normalise/map-opencl.xml apps/normalise/samples.c \
	apps/normalise/normalise.cl apps/normalise/normalise_portable.c apps/normalise/cumulate.cl \
	apps/normalise/cumulate_portable.c apps/normalise/report.c
