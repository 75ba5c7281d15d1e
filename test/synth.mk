# dalsynth. The fixtures and the expected trees are in test/synth.
check_PROGRAMS += test/test_synth
TESTS += test/test_synth test/synth.sh test/names.sh test/sources.sh
EXTRA_DIST += test/synth.sh test/names.sh test/sources.sh test/synth/bad test/synth/golden

test_test_synth_SOURCES = test/test_synth.c test/suite.h
test_test_synth_LDADD = synth/libdalsynth.la $(CUNIT_LIBS)
