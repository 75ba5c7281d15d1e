noinst_LTLIBRARIES += rt/ocl/libdalocl.la

rt_ocl_libdalocl_la_SOURCES = \
	rt/ocl/binary.c \
	rt/ocl/binary.h \
	rt/ocl/cache.c \
	rt/ocl/cache.h \
	rt/ocl/context.c \
	rt/ocl/device.c \
	rt/ocl/device.h \
	rt/ocl/error.c \
	rt/ocl/log.c \
	rt/ocl/log.h \
	rt/ocl/mask.c \
	rt/ocl/ocl.h \
	rt/ocl/program.c \
	rt/ocl/queue.c
rt_ocl_libdalocl_la_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
rt_ocl_libdalocl_la_LIBADD = $(OPENCL_LIBS)
