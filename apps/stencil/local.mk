stencildir = $(examplesdir)/stencil
dist_stencil_DATA = \
	apps/stencil/README.md apps/stencil/Makefile apps/stencil/stencil.xml apps/stencil/strip.c apps/stencil/total.c \
	apps/stencil/map-cores.xml apps/stencil/map-nodes-2.xml apps/stencil/map-nodes-3.xml
