# Channels: storage by location, one acquire/release interface.
noinst_LTLIBRARIES += channels/libdalchannels.la
channels_libdalchannels_la_SOURCES = \
	channels/blocks.c channels/blocks.h \
	channels/channel.c channels/channel.h \
	channels/check.c channels/check.h \
	channels/create.c channels/create.h channels/create_ends.c channels/create_kinds.c \
	channels/create_mapped.c channels/create_readers.c channels/create_rings.c \
	channels/create_tokens.c \
	channels/device_end.c channels/device_end.h \
	channels/grow.c channels/grow.h \
	channels/kind.c channels/kind.h \
	channels/port.c channels/port.h \
	channels/queue.c channels/queue.h \
	channels/shape.c channels/shape.h \
	channels/storage.h channels/storage_device.c channels/storage_host.c
channels_libdalchannels_la_CPPFLAGS = $(AM_CPPFLAGS) $(SCHEDULE_FLAGS)
