EXTRA_DIST += \
	apps/stencil/README.md apps/stencil/stencil.xml apps/stencil/strip.c apps/stencil/total.c \
	apps/stencil/map-cores.xml apps/stencil/map-nodes-2.xml apps/stencil/map-nodes-3.xml
