fmdir = $(examplesdir)/fm
dist_fm_DATA = \
	apps/fm/README.md apps/fm/Makefile apps/fm/fm.xml apps/fm/receiver.xml apps/fm/discriminate.c \
	apps/fm/channel.taps apps/fm/audio.taps apps/fm/station.py
