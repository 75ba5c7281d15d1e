# Channels: storage by location, one acquire/release interface.
noinst_LTLIBRARIES += channels/libdalchannels.la
channels_libdalchannels_la_SOURCES = \
	channels/blocks.c channels/blocks.h \
	channels/channel.c channels/channel.h \
	channels/check.c channels/check.h \
	channels/create.c channels/create.h channels/create_ends.c channels/create_kind.c \
	channels/create_layout.c channels/create_rings.c \
	channels/deal.c channels/deal.h \
	channels/device_end.c channels/device_end.h \
	channels/device_ops.c channels/device_ops.h \
	channels/grow.c channels/grow.h \
	channels/newest.c channels/newest.h \
	channels/port.h \
	channels/queue.c channels/queue.h \
	channels/replicas.c channels/replicas.h \
	channels/storage.c channels/storage.h
channels_libdalchannels_la_CPPFLAGS = $(AM_CPPFLAGS) $(SCHEDULE_FLAGS)
