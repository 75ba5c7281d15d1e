# The CUDA backend. It needs nothing of CUDA to be built.
noinst_LTLIBRARIES += rt/cuda/libdalcuda.la

rt_cuda_libdalcuda_la_SOURCES = \
	rt/cuda/backend.c \
	rt/cuda/backend.h \
	rt/cuda/build.h \
	rt/cuda/context.c \
	rt/cuda/device.h \
	rt/cuda/driver.c \
	rt/cuda/driver.h \
	rt/cuda/error.c \
	rt/cuda/event.c \
	rt/cuda/graph.c \
	rt/cuda/graph.h \
	rt/cuda/launch.c \
	rt/cuda/list.c \
	rt/cuda/log.c \
	rt/cuda/memory.c \
	rt/cuda/nvrtc.c \
	rt/cuda/options.c \
	rt/cuda/program.c \
	rt/cuda/queue.c
rt_cuda_libdalcuda_la_CPPFLAGS = $(AM_CPPFLAGS) $(SCHEDULE_FLAGS)
rt_cuda_libdalcuda_la_LIBADD = -ldl

# What stands in front of kernels, as a C string.
BUILT_SOURCES += rt/cuda/opencl_c.inc
CLEANFILES += rt/cuda/opencl_c.inc
EXTRA_DIST += rt/cuda/opencl_c.h
rt/cuda/opencl_c.inc: rt/cuda/opencl_c.h
	$(AM_V_GEN)$(MKDIR_P) rt/cuda && $(SED) -e 's/[\\"?]/\\&/g' -e 's/.*/"&\\n"/' $(srcdir)/rt/cuda/opencl_c.h >$@
$(rt_cuda_libdalcuda_la_OBJECTS): rt/cuda/opencl_c.inc
