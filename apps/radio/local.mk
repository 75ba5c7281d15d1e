# The receiver. Beside it: a recording with a known sound, what has to come of it, and how good it is.
radiodir = $(examplesdir)/radio
dist_radio_SCRIPTS = apps/radio/measure
dist_radio_DATA = $(RADIO_SHARED) \
	apps/radio/README.md apps/radio/Makefile apps/radio/spectrum.png apps/radio/spectrum.gnuplot \
	apps/radio/gnuradio_receiver.py apps/radio/radio.xml apps/radio/map-core0.xml apps/radio/map-cores.xml \
	apps/radio/map-two-cores.xml apps/radio/map-front.xml apps/radio/map-cuda.xml apps/radio/map-opencl.xml \
	apps/radio/centre.c apps/radio/tune.c apps/radio/discriminate.c apps/radio/resample.c apps/radio/stereo.c \
	apps/radio/tune_portable.c apps/radio/discriminate_portable.c apps/radio/resample_portable.c \
	apps/radio/tune.cl apps/radio/discriminate.cl apps/radio/resample.cl \
	apps/radio/mkradio.c apps/radio/mktaps.c apps/radio/reference.c apps/radio/listen.c apps/radio/loop.c apps/radio/spectrum.c
RADIO_SHARED = \
	apps/radio/angle.h apps/radio/discriminate.h apps/radio/filter.h apps/radio/lanes.h apps/radio/radio.h \
	apps/radio/resample.h apps/radio/stereo.h apps/radio/taps.h apps/radio/tune.h

noinst_PROGRAMS += apps/radio/mkradio apps/radio/mktaps apps/radio/reference apps/radio/listen \
	apps/radio/spectrum
apps_radio_mkradio_SOURCES = apps/radio/mkradio.c
apps_radio_mkradio_LDADD = -lm
apps_radio_mktaps_SOURCES = apps/radio/mktaps.c
apps_radio_mktaps_LDADD = -lm
apps_radio_reference_SOURCES = apps/radio/reference.c
apps_radio_reference_LDADD = -lm
apps_radio_listen_SOURCES = apps/radio/listen.c
apps_radio_listen_LDADD = -lm
apps_radio_spectrum_SOURCES = apps/radio/spectrum.c
apps_radio_spectrum_LDADD = -lm

# Compiled with the flags that radio.xml gives the filters, and without contraction, as dalsynth does.
RADIO_CFLAGS = $(REFERENCE_CFLAGS) -ffp-contract=off
noinst_PROGRAMS += apps/radio/loop
apps_radio_loop_SOURCES =
apps_radio_loop_LDADD = apps/radio/loop.$(OBJEXT) -lm
CLEANFILES += apps/radio/loop.$(OBJEXT)

apps/radio/loop.$(OBJEXT): $(srcdir)/apps/radio/loop.c $(RADIO_SHARED)
	@$(MKDIR_P) apps/radio
	$(AM_V_CC)$(COMPILE) $(RADIO_CFLAGS) -c -o $@ $(srcdir)/apps/radio/loop.c
