# Programs to look at machines and networks; scripts that set up, show and check the whole.
bin_PROGRAMS += tools/dalinfo
tools_dalinfo_SOURCES = tools/dalinfo.c
tools_dalinfo_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
tools_dalinfo_LDADD = rt/ocl/libdalocl.la rt/base/libdalbase.la $(OPENCL_LIBS) $(HWLOC_LIBS)

EXTRA_DIST += tools/check tools/demo tools/setup.sh
