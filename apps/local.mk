# Example networks, each a folder that a user could have written, and their tools. They are installed, to be copied
# and built; those of apps/synthetic are what dalbench measures.
examplesdir = $(pkgdatadir)/examples
include apps/detector/local.mk
include apps/digits/local.mk
include apps/edges/local.mk
include apps/embed/local.mk
include apps/equaliser/local.mk
include apps/events/local.mk
include apps/fm/local.mk
include apps/rds/local.mk
include apps/hello/local.mk
include apps/mjpeg/local.mk
include apps/normalise/local.mk
include apps/notebook/local.mk
include apps/photon/local.mk
include apps/pipe/local.mk
include apps/radio/local.mk
include apps/scenario/local.mk
include apps/stencil/local.mk
include apps/synthetic/local.mk
