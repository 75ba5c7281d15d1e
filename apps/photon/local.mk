# The photon counter. Beside it: frames whose photons are known, the reference, and the counter as a plain loop.
photondir = $(examplesdir)/photon
dist_photon_SCRIPTS = apps/photon/measure apps/photon/crossover apps/photon/device
dist_photon_DATA = $(PHOTON_SHARED) \
	apps/photon/README.md apps/photon/reference.py apps/photon/Makefile apps/photon/photon.png apps/photon/photon.gnuplot \
	apps/photon/photon.xml apps/photon/map-core0.xml apps/photon/map-cores.xml apps/photon/map-cuda.xml apps/photon/map-opencl.xml apps/photon/map-openmp.xml \
	apps/photon/calibrate.xml apps/photon/map-calibrate.xml apps/photon/detector.xml \
	apps/photon/source.c apps/photon/correct.c apps/photon/count.c apps/photon/cluster.c apps/photon/sink.c apps/photon/stack.c apps/photon/record.c \
	apps/photon/sum.c apps/photon/total.c apps/photon/largest.c apps/photon/drift.c \
	apps/photon/sum.cl apps/photon/total.cl apps/photon/largest.cl apps/photon/drift.cl \
	apps/photon/sum_portable.c apps/photon/total_portable.c apps/photon/largest_portable.c apps/photon/drift_portable.c \
	apps/photon/correct_portable.c apps/photon/count_portable.c apps/photon/cluster_portable.c \
	apps/photon/correct.cl apps/photon/count.cl apps/photon/cluster.cl \
	apps/photon/darks.c apps/photon/darks.h apps/photon/welford.c apps/photon/keep.c \
	apps/photon/box.xml apps/photon/map-box.xml apps/photon/box.c apps/photon/box_plain.c apps/photon/box_portable.c \
	apps/photon/box.cl apps/photon/box_plain.cl apps/photon/box.h apps/photon/frames.c \
	apps/photon/mkphoton.c apps/photon/loop.c
PHOTON_SHARED = \
	apps/photon/cluster.h apps/photon/correct.h apps/photon/count.h apps/photon/files.h apps/photon/largest.h \
	apps/photon/photon.h apps/photon/rate.h apps/photon/strips.h apps/photon/sum.h apps/photon/sums.h

noinst_PROGRAMS += apps/photon/mkphoton
apps_photon_mkphoton_SOURCES = apps/photon/mkphoton.c
apps_photon_mkphoton_LDADD = -lm

# Compiled with the flags that photon.xml gives the processes, and without contraction, as dalsynth does.
PHOTON_CFLAGS = -O3 -march=native -fno-trapping-math -ffp-contract=off
noinst_PROGRAMS += apps/photon/loop
apps_photon_loop_SOURCES =
apps_photon_loop_LDADD = apps/photon/loop.$(OBJEXT)
CLEANFILES += apps/photon/loop.$(OBJEXT)

apps/photon/loop.$(OBJEXT): $(srcdir)/apps/photon/loop.c $(PHOTON_SHARED)
	@$(MKDIR_P) apps/photon
	$(AM_V_CC)$(COMPILE) $(PHOTON_CFLAGS) -c -o $@ $(srcdir)/apps/photon/loop.c
