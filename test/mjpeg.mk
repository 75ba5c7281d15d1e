# The video network: the same bytes on every mapping.
TESTS += test/mjpeg.sh
EXTRA_DIST += test/mjpeg.sh

# The equations of its last filter, on a device.
check_PROGRAMS += test/test_flow
TESTS += test/test_flow
test_test_flow_SOURCES = test/test_flow.c test/suite.h
test_test_flow_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
test_test_flow_LDADD = rt/ocl/libdalocl.la rt/base/libdalbase.la $(CUNIT_LIBS) $(OPENCL_LIBS) -lm
