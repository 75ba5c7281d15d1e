# Channels and the runtime, without dalsynth.
check_PROGRAMS += test/test_shape test/test_channels test/test_network
TESTS += test/test_shape test/test_channels test/test_network
test_test_shape_SOURCES = test/test_shape.c test/suite.h
test_test_shape_LDADD = rt/libdalrt.la $(CUNIT_LIBS)
test_test_channels_SOURCES = test/test_channels.c test/suite.h
test_test_channels_LDADD = rt/libdalrt.la $(CUNIT_LIBS) $(OPENCL_LIBS)
test_test_network_SOURCES = test/test_network.c test/suite.h
test_test_network_LDADD = rt/libdalrt.la $(CUNIT_LIBS) $(OPENCL_LIBS)

check_PROGRAMS += test/test_cluster
TESTS += test/test_cluster
THREAD_TESTS += test/test_cluster
VALGRIND_TESTS += test/test_cluster
test_test_cluster_SOURCES = test/test_cluster.c test/capture.h test/suite.h
test_test_cluster_LDADD = rt/libdalrt.la $(CUNIT_LIBS) $(OPENCL_LIBS)

check_PROGRAMS += test/test_policy
TESTS += test/test_policy
test_test_policy_SOURCES = test/test_policy.c test/suite.h
test_test_policy_LDADD = rt/libdalrt.la $(CUNIT_LIBS)

check_PROGRAMS += test/test_grow
TESTS += test/test_grow
test_test_grow_SOURCES = test/test_grow.c test/suite.h
test_test_grow_LDADD = rt/libdalrt.la $(CUNIT_LIBS)

# What the analysis says, in the runtime.
check_PROGRAMS += test/test_iterations
TESTS += test/test_iterations
test_test_iterations_SOURCES = test/test_iterations.c test/iterations.h test/iterations_graph.c \
	test/sdf_build.h test/sdf_sample.h test/capture.h test/suite.h
test_test_iterations_CPPFLAGS = $(AM_CPPFLAGS) $(CUNIT_CFLAGS)
test_test_iterations_LDADD = rt/libdalrt.la spec/libdalspec.la $(CUNIT_LIBS)

check_PROGRAMS += test/test_faults
TESTS += test/test_faults
test_test_faults_SOURCES = test/test_faults.c test/suite.h
test_test_faults_LDADD = rt/libdalrt.la $(CUNIT_LIBS) $(OPENCL_LIBS)
