# The video network. Beside it: the same functions in a plain loop, and tools for its videos.
mjpegdir = $(examplesdir)/mjpeg
dist_mjpeg_DATA = \
	apps/mjpeg/README.md apps/mjpeg/Makefile apps/mjpeg/dog.mjpeg \
	apps/mjpeg/mjpeg.xml apps/mjpeg/map-core0.xml apps/mjpeg/map-cores.xml \
	apps/mjpeg/map-devices.xml apps/mjpeg/map-cuda.xml apps/mjpeg/map-opencl.xml \
	apps/mjpeg/map-nodes-2.xml apps/mjpeg/map-nodes-3.xml \
	apps/mjpeg/split.c apps/mjpeg/dec.c apps/mjpeg/merge.c apps/mjpeg/gauss.c \
	apps/mjpeg/sobel.c apps/mjpeg/opticalflow.c apps/mjpeg/screen.c \
	apps/mjpeg/gauss_portable.c apps/mjpeg/sobel_portable.c \
	apps/mjpeg/opticalflow_portable.c \
	apps/mjpeg/filters.xml apps/mjpeg/numbers.c apps/mjpeg/frames.c apps/mjpeg/count.c \
	apps/mjpeg/gauss.cl apps/mjpeg/sobel.cl apps/mjpeg/opticalflow.cl \
	apps/mjpeg/contact.c apps/mjpeg/mkvideo.c apps/mjpeg/reference.c \
	apps/mjpeg/checksum.h apps/mjpeg/flow.h apps/mjpeg/frame.h apps/mjpeg/gauss.h \
	apps/mjpeg/jpeg.h apps/mjpeg/lanes.h apps/mjpeg/sobel.h apps/mjpeg/stream.h

# Compiled with the flags that mjpeg.xml gives the filters, behind CFLAGS as dalsynth has them.
REFERENCE_CFLAGS = -O3 -march=native -fno-math-errno -fno-trapping-math
noinst_PROGRAMS += apps/mjpeg/reference
apps_mjpeg_reference_SOURCES =
apps_mjpeg_reference_LDADD = apps/mjpeg/reference.$(OBJEXT) $(JPEG_LIBS) -lm
CLEANFILES += apps/mjpeg/reference.$(OBJEXT)

apps/mjpeg/reference.$(OBJEXT): $(srcdir)/apps/mjpeg/reference.c \
		$(srcdir)/apps/mjpeg/checksum.h $(srcdir)/apps/mjpeg/flow.h \
		$(srcdir)/apps/mjpeg/gauss.h $(srcdir)/apps/mjpeg/jpeg.h \
		$(srcdir)/apps/mjpeg/sobel.h $(srcdir)/apps/mjpeg/stream.h
	@$(MKDIR_P) apps/mjpeg
	$(AM_V_CC)$(COMPILE) $(JPEG_CFLAGS) $(REFERENCE_CFLAGS) -c -o $@ $(srcdir)/apps/mjpeg/reference.c

noinst_PROGRAMS += apps/mjpeg/mkvideo
apps_mjpeg_mkvideo_SOURCES = apps/mjpeg/mkvideo.c
apps_mjpeg_mkvideo_CFLAGS = $(AM_CFLAGS) $(JPEG_CFLAGS)
apps_mjpeg_mkvideo_LDADD = $(JPEG_LIBS)

noinst_PROGRAMS += apps/mjpeg/contact-sheet
apps_mjpeg_contact_sheet_SOURCES = apps/mjpeg/contact.c
apps_mjpeg_contact_sheet_LDADD = -lm
