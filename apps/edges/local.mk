edgesdir = $(examplesdir)/edges
dist_edges_DATA = \
	apps/edges/README.md apps/edges/Makefile apps/edges/edges.xml apps/edges/cameras.xml apps/edges/map-device.xml \
	apps/edges/edges.c apps/edges/join.c
