eventsdir = $(examplesdir)/events
dist_events_DATA = \
	apps/events/README.md apps/events/Makefile apps/events/events.xml apps/events/map-cores.xml \
	apps/events/map-opencl.xml apps/events/events.h apps/events/find.c apps/events/find.cl apps/events/find.h \
	apps/events/find_portable.c apps/events/measure.c apps/events/measure.cl apps/events/measure.h \
	apps/events/measure_portable.c apps/events/reference.c apps/events/report.c apps/events/source.c
