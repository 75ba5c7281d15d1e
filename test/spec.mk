# Tests of spec/, with fixtures in test/spec; included by test/local.mk.
check_PROGRAMS += test/test_spec test/test_sdf test/test_sdf_time
TESTS += test/test_spec test/test_sdf test/test_sdf_time

test_test_spec_SOURCES = test/test_spec.c test/suite.h
test_test_spec_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
test_test_spec_LDADD = spec/libdalspec.la $(CUNIT_LIBS)

test_test_sdf_SOURCES = test/test_sdf.c test/sdf_build.h test/suite.h
test_test_sdf_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
test_test_sdf_LDADD = spec/libdalspec.la $(CUNIT_LIBS)

test_test_sdf_time_SOURCES = test/test_sdf_time.c test/sdf_build.h test/sdf_sample.h test/suite.h
test_test_sdf_time_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
test_test_sdf_time_LDADD = spec/libdalspec.la $(CUNIT_LIBS)

EXTRA_DIST += test/spec
