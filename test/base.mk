# rt/base and rt/ocl, and what holds for the whole tree.
check_PROGRAMS += test/test_base test/test_ocl
TESTS += test/test_base test/test_ocl test/style.sh test/dalinfo.sh test/sanitizer.sh
EXTRA_DIST += test/style.sh test/dalinfo.sh test/sanitizer.sh test/chroot.sh test/lsan.supp test/tsan.supp test/valgrind.supp

test_test_base_SOURCES = test/test_base.c test/capture.h test/suite.h
test_test_base_LDADD = rt/base/libdalbase.la $(CUNIT_LIBS) $(HWLOC_LIBS)
test_test_ocl_SOURCES = test/test_ocl.c test/capture.h test/suite.h
test_test_ocl_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
test_test_ocl_LDADD = rt/ocl/libdalocl.la rt/base/libdalbase.la $(CUNIT_LIBS) $(OPENCL_LIBS) \
	$(HWLOC_LIBS)

# No driver is made for ThreadSanitizer, so these run without any: see check-thread.
THREAD_TESTS += test/test_base test/test_network test/test_channels test/test_grow test/kpn.sh test/calls.sh
VALGRIND_TESTS += test/test_base test/test_shape test/test_network test/test_channels
