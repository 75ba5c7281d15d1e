embeddir = $(examplesdir)/embed
dist_embed_DATA = \
	apps/embed/README.md apps/embed/Makefile apps/embed/CMakeLists.txt apps/embed/meson.build apps/embed/main.cpp \
	apps/embed/filter.xml apps/embed/map-cores.xml apps/embed/gain.c apps/embed/peak.c
