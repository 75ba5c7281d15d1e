# The runtime. Tests link the convenience library; the installed one exports what generated code
# and processes call.
noinst_LTLIBRARIES += rt/libdalrt.la
rt_libdalrt_la_SOURCES = \
	rt/activate.c \
	rt/api.c \
	rt/check.c rt/check.h \
	rt/claim.h \
	rt/cluster.c rt/cluster.h \
	rt/control.c rt/control.h \
	rt/controller.c rt/controller.h \
	rt/events.c rt/events.h \
	rt/handler.c rt/handler.h \
	rt/install.c rt/install.h \
	rt/firing.c rt/firing.h \
	rt/kpn.c rt/kpn.h \
	rt/launcher.c rt/launcher.h \
	rt/main.c \
	rt/monitor.c rt/monitor.h \
	rt/network.c rt/network.h \
	rt/policy.c rt/policy.h rt/policy_fcfs.c rt/policy_priority.c \
	rt/pace.h \
	rt/process.c rt/process.h \
	rt/stats.c rt/stats.h \
	rt/trace.c rt/trace.h \
	rt/watch.c rt/watch.h \
	rt/worker.c rt/worker.h
rt_libdalrt_la_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
rt_libdalrt_la_LIBADD = \
	channels/libdalchannels.la rt/ocl/libdalocl.la rt/base/libdalbase.la \
	$(OPENCL_LIBS) $(HWLOC_LIBS) $(PTHREAD_LIBS)

lib_LTLIBRARIES += rt/libdal.la
rt_libdal_la_SOURCES =
rt_libdal_la_LIBADD = rt/libdalrt.la
rt_libdal_la_LDFLAGS = -version-info 0:0:0 -no-undefined \
	-export-symbols-regex '^(DAL_|dal_main(_fsm)?$$|dal_firing$$|dal_port_index$$|dal_refuse_[a-z]*$$|dal_window_[a-z_]*$$|createPort$$)'

pkginclude_HEADERS = rt/dal.h rt/net.h
