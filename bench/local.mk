# Programs and experiments that measure.

# dalbench: the networks of apps/synthetic and apps/mjpeg beside programs written by hand. Those
# call the networks' own functions, compiled with the flags that the networks give them.
bin_PROGRAMS += bench/dalbench
bench_dalbench_SOURCES = \
	bench/dalbench.c bench/dalbench.h bench/dalbench_run.c bench/dalbench_measure.c \
	bench/dalbench_report.c bench/dalbench_plot.c bench/dalbench_kernel.c \
	bench/dalbench_channel.c bench/dalbench_activation.c bench/dalbench_group.c \
	bench/dalbench_overhead.c bench/dalbench_work.h bench/dalbench_scale.c \
	bench/dalbench_cores.c bench/dalbench_cores.h bench/dalbench_cores_list.c \
	bench/dalbench_cores_peers.c bench/dalbench_cores_columns.c bench/dalbench_cores_drawn.c \
	bench/dalbench_nodes.c bench/dalbench_parts.c bench/dalbench_page.c bench/dalbench_rules.c bench/dalbench_thesis.c \
	bench/record.h bench/thesis.h
bench_dalbench_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS) -I$(top_srcdir)/apps/synthetic \
	-DDALBENCH_APPS='"$(examplesdir)"' -DDALBENCH_PRIVATE='"$(pkglibexecdir)"'
# What MPI does by itself: dalbench starts it.
if HAVE_MPI
pkglibexec_PROGRAMS = bench/dalbench_mpi
bench_dalbench_mpi_SOURCES = bench/dalbench_mpi.c
bench_dalbench_mpi_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS) -I$(top_srcdir)/apps/synthetic
bench_dalbench_mpi_LDADD = $(MPI_LIBS)
bench_dalbench_CPPFLAGS += -DDALBENCH_MPI
endif
DALBENCH_OBJECTS = \
	bench/dalbench_firing.$(OBJEXT) bench/dalbench_mjpeg.$(OBJEXT) bench/dalbench_work_O0.$(OBJEXT) \
	bench/dalbench_work_O2.$(OBJEXT) bench/dalbench_work_O3.$(OBJEXT)
bench_dalbench_LDADD = $(DALBENCH_OBJECTS) rt/devices/libdaldevices.la rt/base/libdalbase.la \
	$(OPENCL_LIBS) $(HWLOC_LIBS) $(JPEG_LIBS) -lm
EXTRA_DIST += bench/dalbench_firing.c bench/dalbench_mjpeg.c bench/dalbench_work.c
CLEANFILES += $(DALBENCH_OBJECTS)

DALBENCH_WORK = $(AM_V_CC)$(MKDIR_P) bench && $(COMPILE) -I$(top_srcdir)/apps/synthetic
DALBENCH_WORK_DEPENDS = $(srcdir)/bench/dalbench_work.c $(srcdir)/bench/dalbench_work.h \
	$(srcdir)/apps/synthetic/work.h
bench/dalbench_work_O0.$(OBJEXT): $(DALBENCH_WORK_DEPENDS)
	$(DALBENCH_WORK) -DBENCH_LEVEL=O0 -U_FORTIFY_SOURCE -O0 -c -o $@ $(srcdir)/bench/dalbench_work.c
bench/dalbench_work_O2.$(OBJEXT): $(DALBENCH_WORK_DEPENDS)
	$(DALBENCH_WORK) -DBENCH_LEVEL=O2 -O2 -c -o $@ $(srcdir)/bench/dalbench_work.c
bench/dalbench_work_O3.$(OBJEXT): $(DALBENCH_WORK_DEPENDS)
	$(DALBENCH_WORK) -DBENCH_LEVEL=O3 -O3 -march=native -c -o $@ $(srcdir)/bench/dalbench_work.c
# As in firing.xml: the functions that are compared are compiled the same way. A loop of 25 bytes
# takes twice as long where a boundary of 32 bytes runs through it; chance should not decide.
bench/dalbench_firing.$(OBJEXT): $(srcdir)/bench/dalbench_firing.c $(srcdir)/bench/dalbench.h $(srcdir)/bench/record.h $(srcdir)/bench/thesis.h \
		$(srcdir)/apps/synthetic/pass.h
	$(DALBENCH_WORK) $(OPENCL_CFLAGS) -O3 -falign-loops=32 -c -o $@ $(srcdir)/bench/dalbench_firing.c
bench/dalbench_mjpeg.$(OBJEXT): $(srcdir)/bench/dalbench_mjpeg.c $(srcdir)/bench/dalbench.h $(srcdir)/bench/record.h $(srcdir)/bench/thesis.h \
		$(srcdir)/apps/mjpeg/checksum.h $(srcdir)/apps/mjpeg/flow.h \
		$(srcdir)/apps/mjpeg/frame.h $(srcdir)/apps/mjpeg/gauss.h \
		$(srcdir)/apps/mjpeg/jpeg.h $(srcdir)/apps/mjpeg/sobel.h \
		$(srcdir)/apps/mjpeg/stream.h
	$(AM_V_CC)$(MKDIR_P) bench && $(COMPILE) $(OPENCL_CFLAGS) $(JPEG_CFLAGS) \
		-I$(top_srcdir)/apps/mjpeg $(REFERENCE_CFLAGS) \
		-c -o $@ $(srcdir)/bench/dalbench_mjpeg.c

# Collectives beside forms by hand, on any OpenCL device: not installed.
noinst_PROGRAMS += bench/collectives_bench
bench_collectives_bench_CPPFLAGS = $(AM_CPPFLAGS) -DDAL_SOURCES='"$(abs_top_srcdir)"'
bench_collectives_bench_LDADD = rt/devices/libdaldevices.la rt/base/libdalbase.la $(OPENCL_LIBS) $(HWLOC_LIBS) -lm
EXTRA_DIST += bench/collectives_bench.cl

# The CUDA backend beside the driver by hand: not installed.
noinst_PROGRAMS += bench/cuda_bench
bench_cuda_bench_LDADD = rt/devices/libdaldevices.la rt/base/libdalbase.la $(OPENCL_LIBS) $(HWLOC_LIBS) -ldl

# What scripts measure: of a folder that is built.
EXTRA_DIST += bench/accuracy bench/best bench/dealt bench/drawn.sh bench/figures bench/newest bench/openmp bench/outside bench/pairs bench/periods bench/promises bench/slow bench/sweep
