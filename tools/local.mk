# Programs to look at machines and networks; scripts that set up, show and check the whole.
bin_PROGRAMS += tools/dalinfo
tools_dalinfo_SOURCES = tools/dalinfo.c tools/dalinfo_cores.c tools/dalinfo_devices.c \
	tools/dalinfo_measure.c tools/dalinfo_measure.h tools/dalinfo_nodes.c tools/dalinfo_nodes.h
tools_dalinfo_CPPFLAGS = $(AM_CPPFLAGS) -DDAL_LIBRARY_FOLDER='"$(libdir)"'
tools_dalinfo_LDADD = rt/libdalrt.la $(OPENCL_LIBS) $(HWLOC_LIBS) -ldl

EXTRA_DIST += tools/accuracy tools/best tools/check tools/demo tools/drawn.sh tools/figures tools/openmp tools/periods tools/promises tools/release tools/setup.sh tools/slow tools/sweep

# Begins a network: tools/dal.
bin_SCRIPTS += tools/dal
EXTRA_DIST += tools/dal.sh
CLEANFILES += tools/dal
tools/dal: tools/dal.sh
	$(AM_V_GEN)$(MKDIR_P) tools && cp $(srcdir)/tools/dal.sh $@.tmp && chmod +x $@.tmp && mv $@.tmp $@

# Completion: bash looks for a file by the name of the command.
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
dist_pkgdata_SCRIPTS = tools/completion/complete.sh
dist_zshcompletion_DATA = tools/completion/_dal
EXTRA_DIST += tools/completion/dal.bash
COMPLETED = dal dalsynth dalmap dalinfo dalbench
install-data-local:
	$(MKDIR_P) '$(DESTDIR)$(bashcompletiondir)'
	for name in $(COMPLETED); do \
	  $(INSTALL_DATA) $(srcdir)/tools/completion/dal.bash '$(DESTDIR)$(bashcompletiondir)'/$$name || exit 1; \
	done
uninstall-local:
	cd '$(DESTDIR)$(bashcompletiondir)' && rm -f $(COMPLETED)

# dalbench: the networks of apps/synthetic and apps/mjpeg beside programs written by hand. Those
# call the networks' own functions, compiled with the flags that the networks give them.
bin_PROGRAMS += tools/dalbench
tools_dalbench_SOURCES = \
	tools/dalbench.c tools/dalbench.h tools/dalbench_run.c tools/dalbench_measure.c \
	tools/dalbench_report.c tools/dalbench_plot.c tools/dalbench_kernel.c \
	tools/dalbench_channel.c tools/dalbench_activation.c tools/dalbench_group.c \
	tools/dalbench_overhead.c tools/dalbench_work.h tools/dalbench_scale.c \
	tools/dalbench_nodes.c
tools_dalbench_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS) -I$(top_srcdir)/apps/synthetic \
	-DDALBENCH_APPS='"$(examplesdir)"'
# What MPI does by itself.
if HAVE_MPI
noinst_PROGRAMS += tools/dalbench_mpi
tools_dalbench_mpi_SOURCES = tools/dalbench_mpi.c
tools_dalbench_mpi_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS) -I$(top_srcdir)/apps/synthetic
tools_dalbench_mpi_LDADD = $(MPI_LIBS)
tools_dalbench_CPPFLAGS += -DDALBENCH_MPI
endif
DALBENCH_OBJECTS = \
	tools/dalbench_firing.$(OBJEXT) tools/dalbench_mjpeg.$(OBJEXT) tools/dalbench_work_O0.$(OBJEXT) \
	tools/dalbench_work_O2.$(OBJEXT) tools/dalbench_work_O3.$(OBJEXT)
tools_dalbench_LDADD = $(DALBENCH_OBJECTS) rt/backend/libdalbackend.la rt/base/libdalbase.la \
	$(OPENCL_LIBS) $(HWLOC_LIBS) $(JPEG_LIBS) -lm
EXTRA_DIST += tools/dalbench_firing.c tools/dalbench_mjpeg.c tools/dalbench_work.c
CLEANFILES += $(DALBENCH_OBJECTS)

DALBENCH_WORK = $(AM_V_CC)$(MKDIR_P) tools && $(COMPILE) -I$(top_srcdir)/apps/synthetic
DALBENCH_WORK_DEPENDS = $(srcdir)/tools/dalbench_work.c $(srcdir)/tools/dalbench_work.h \
	$(srcdir)/apps/synthetic/work.h
tools/dalbench_work_O0.$(OBJEXT): $(DALBENCH_WORK_DEPENDS)
	$(DALBENCH_WORK) -DBENCH_LEVEL=O0 -U_FORTIFY_SOURCE -O0 -c -o $@ $(srcdir)/tools/dalbench_work.c
tools/dalbench_work_O2.$(OBJEXT): $(DALBENCH_WORK_DEPENDS)
	$(DALBENCH_WORK) -DBENCH_LEVEL=O2 -O2 -c -o $@ $(srcdir)/tools/dalbench_work.c
tools/dalbench_work_O3.$(OBJEXT): $(DALBENCH_WORK_DEPENDS)
	$(DALBENCH_WORK) -DBENCH_LEVEL=O3 -O3 -march=native -c -o $@ $(srcdir)/tools/dalbench_work.c
# As in firing.xml: the functions that are compared are compiled the same way. A loop of 25 bytes
# takes twice as long where a boundary of 32 bytes runs through it; chance should not decide.
tools/dalbench_firing.$(OBJEXT): $(srcdir)/tools/dalbench_firing.c $(srcdir)/tools/dalbench.h \
		$(srcdir)/apps/synthetic/pass.h
	$(DALBENCH_WORK) $(OPENCL_CFLAGS) -O3 -falign-loops=32 -c -o $@ $(srcdir)/tools/dalbench_firing.c
tools/dalbench_mjpeg.$(OBJEXT): $(srcdir)/tools/dalbench_mjpeg.c $(srcdir)/tools/dalbench.h \
		$(srcdir)/apps/mjpeg/checksum.h $(srcdir)/apps/mjpeg/flow.h \
		$(srcdir)/apps/mjpeg/frame.h $(srcdir)/apps/mjpeg/gauss.h \
		$(srcdir)/apps/mjpeg/jpeg.h $(srcdir)/apps/mjpeg/sobel.h \
		$(srcdir)/apps/mjpeg/stream.h
	$(AM_V_CC)$(MKDIR_P) tools && $(COMPILE) $(OPENCL_CFLAGS) $(JPEG_CFLAGS) \
		-I$(top_srcdir)/apps/mjpeg $(REFERENCE_CFLAGS) \
		-c -o $@ $(srcdir)/tools/dalbench_mjpeg.c

# Debian packages: dpkg-buildpackage -us -uc
EXTRA_DIST += debian/changelog debian/control debian/copyright debian/rules debian/source/format debian/source/lintian-overrides \
	debian/dal.docs debian/dal.install debian/dal-examples.install debian/libdal0.install \
	debian/libdal-dev.install debian/libdal-live0.install debian/libdal-mpi0.install debian/tests/control debian/tests/hello

# Collectives beside forms by hand, on any OpenCL device: not installed.
noinst_PROGRAMS += tools/collectives_bench
tools_collectives_bench_CPPFLAGS = $(AM_CPPFLAGS) -DDAL_SOURCES='"$(abs_top_srcdir)"'
tools_collectives_bench_LDADD = rt/backend/libdalbackend.la rt/base/libdalbase.la $(OPENCL_LIBS) $(HWLOC_LIBS) -lm
EXTRA_DIST += tools/collectives_bench.cl

# The CUDA backend beside the driver by hand: not installed.
noinst_PROGRAMS += tools/cuda_bench
tools_cuda_bench_LDADD = rt/backend/libdalbackend.la rt/base/libdalbase.la $(OPENCL_LIBS) $(HWLOC_LIBS) -ldl
