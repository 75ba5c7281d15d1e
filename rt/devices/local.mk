# The backends of this build, and the devices that a network wants of them.
noinst_LTLIBRARIES += rt/devices/libdaldevices.la

rt_devices_libdaldevices_la_SOURCES = rt/devices/backends.c rt/devices/devices.h rt/devices/open.c
rt_devices_libdaldevices_la_CPPFLAGS = $(AM_CPPFLAGS) $(SCHEDULE_FLAGS)
rt_devices_libdaldevices_la_LIBADD = rt/backend/libdalbackend.la rt/ocl/libdalocl.la rt/cuda/libdalcuda.la
