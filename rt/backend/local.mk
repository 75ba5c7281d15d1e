# What all device backends share.
noinst_LTLIBRARIES += rt/backend/libdalbackend.la

rt_backend_libdalbackend_la_SOURCES = \
	rt/backend/backend.h \
	rt/backend/device.c \
	rt/backend/device.h \
	rt/backend/fault.c \
	rt/backend/log.c \
	rt/backend/log.h \
	rt/backend/mask.c \
	rt/backend/program.c \
	rt/backend/program.h
rt_backend_libdalbackend_la_CPPFLAGS = $(AM_CPPFLAGS) $(SCHEDULE_FLAGS)
