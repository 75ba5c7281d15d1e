# Two applications that take turns, by a state machine.
scenariodir = $(examplesdir)/scenario
dist_scenario_DATA = \
	apps/scenario/README.md apps/scenario/Makefile apps/scenario/scenario.xml \
	apps/scenario/smooth.xml apps/scenario/edges.xml \
	apps/scenario/map-smooth.xml apps/scenario/map-edges.xml \
	apps/scenario/source.c apps/scenario/smooth.c apps/scenario/edges.c apps/scenario/screen.c
