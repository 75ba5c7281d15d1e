# The OpenCL backend.
noinst_LTLIBRARIES += rt/ocl/libdalocl.la

rt_ocl_libdalocl_la_SOURCES = \
	rt/ocl/backend.h \
	rt/ocl/context.c \
	rt/ocl/device.c \
	rt/ocl/device.h \
	rt/ocl/error.c \
	rt/ocl/ocl.h \
	rt/ocl/operations.c \
	rt/ocl/program.c
rt_ocl_libdalocl_la_CPPFLAGS = $(AM_CPPFLAGS) $(SCHEDULE_FLAGS) $(OPENCL_CFLAGS)
rt_ocl_libdalocl_la_LIBADD = $(OPENCL_LIBS)
