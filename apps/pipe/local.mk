pipedir = $(examplesdir)/pipe
dist_pipe_DATA = \
	apps/pipe/README.md apps/pipe/Makefile apps/pipe/pictures.xml apps/pipe/edges.xml apps/pipe/count.xml \
	apps/pipe/draw.c apps/pipe/sobel.c apps/pipe/count.c
