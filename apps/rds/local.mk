rdsdir = $(examplesdir)/rds
dist_rds_DATA = \
	apps/rds/README.md apps/rds/Makefile apps/rds/rds.xml apps/rds/transmitter.xml apps/rds/receiver.xml apps/rds/rds.h \
	apps/rds/encode.c apps/rds/shape.c apps/rds/modulate.c apps/rds/discriminate.c apps/rds/decode.c apps/rds/bits.taps
