# State machines: the controller, and programs of several applications.
check_PROGRAMS += test/test_controller
TESTS += test/test_controller
THREAD_TESTS += test/test_controller
VALGRIND_TESTS += test/test_controller
test_test_controller_SOURCES = test/test_controller.c test/suite.h
test_test_controller_LDADD = rt/libdalrt.la $(CUNIT_LIBS) $(OPENCL_LIBS)

TESTS += test/fsm.sh
THREAD_TESTS += test/fsm.sh
EXTRA_DIST += test/fsm.sh
check-thread: synth/dalsynth rt/libdal.la tools/dalinfo
