# The runtime. Tests link the convenience library; the installed one exports what generated code
# and processes call.
noinst_LTLIBRARIES += rt/libdalrt.la
rt_libdalrt_la_SOURCES = \
	rt/app/application.c rt/app/application.h rt/app/controller.c rt/app/controller.h rt/app/interrupt.c rt/app/interrupt.h rt/app/main.c \
	rt/app/names.c rt/app/names.h rt/app/outside.c rt/app/outside.h rt/app/places.c rt/app/places.h rt/app/ranks.c rt/app/ranks.h \
	rt/control/control.c rt/control/control.h rt/control/events.c rt/control/events.h \
	rt/device/curve.c rt/device/curve.h rt/device/dealing.c rt/device/dealing.h rt/device/flights.c rt/device/flights.h rt/device/share.c rt/device/share.h \
	rt/device/handler.c rt/device/handler.h rt/device/launcher.c rt/device/launcher.h rt/device/launcher_make.c \
	rt/device/launcher_trace.c rt/device/placed.c rt/device/placed.h rt/device/policy.c rt/device/policy.h rt/device/transfers.c rt/device/transfers.h rt/device/watch.c rt/device/watch.h \
	rt/host/activate.c rt/host/activate.h rt/host/actor.c rt/host/actor.h rt/host/api.c \
	rt/host/changes.c rt/host/changes.h rt/host/claim.h rt/host/counted.c rt/host/crash.c rt/host/crash.h rt/host/drift.c rt/host/drift.h rt/host/throttle.c rt/host/throttle.h rt/host/firing.c \
	rt/host/firing.h rt/host/group.c rt/host/group.h rt/host/guard.c rt/host/guard.h rt/host/latency.c rt/host/latency.h \
	rt/host/meter.c rt/host/meter.h rt/host/overlay.c rt/host/overlay.h rt/host/own.c rt/host/own.h \
	rt/host/parameter.c rt/host/parameter.h \
	rt/host/phase.c rt/host/phase.h rt/host/pool.c rt/host/pool.h rt/host/process.c rt/host/process.h rt/host/release.c \
	rt/host/release.h rt/host/run.c rt/host/run.h rt/host/team.c rt/host/team.h rt/host/timer.c \
	rt/host/timer.h rt/host/waiter.h rt/host/worker.c rt/host/worker.h \
	rt/kpn/call.c rt/kpn/call.h rt/kpn/kpn.c rt/kpn/kpn.h rt/kpn/leave.c rt/kpn/leave.h rt/kpn/left.c rt/kpn/outside.c rt/kpn/port.c rt/kpn/some.c rt/kpn/turn.c rt/kpn/vain.c \
	rt/run/calls.c rt/run/files.c rt/run/files.h rt/run/open.c rt/run/run.c rt/run/run.h rt/run/taps.c rt/run/taps.h rt/streams/format.c rt/streams/format.h rt/streams/npy.c rt/streams/stream.c rt/streams/stream.h rt/streams/tap.c rt/streams/wav.c \
	rt/live/server.h \
	rt/model/network.h rt/model/observer.h \
	rt/network/check.c rt/network/check.h rt/network/install.c rt/network/install.h rt/network/launchers.c \
	rt/network/network.c rt/network/network.h rt/network/parameters.c rt/network/regions.c rt/network/regions.h \
	rt/network/workers.c \
	rt/nodes/end.c rt/nodes/end.h rt/nodes/flow.c rt/nodes/flow.h rt/nodes/meet.c rt/nodes/meet.h rt/nodes/nodes.c rt/nodes/nodes.h rt/nodes/commands.c rt/nodes/commands.h \
	rt/nodes/part.c rt/nodes/part.h rt/nodes/peers.c rt/nodes/peers.h rt/nodes/step.c rt/nodes/step.h \
	rt/nodes/global_snapshot.c rt/nodes/global_snapshot.h rt/nodes/transport.h \
	rt/observe/counters.c rt/observe/counters.h rt/observe/gather.c rt/observe/log_tail.c \
	rt/observe/log_tail.h rt/observe/live.c \
	rt/observe/observers.c rt/observe/observers.h rt/observe/page.c rt/observe/progress.c \
	rt/observe/stats.c rt/observe/stats.h rt/observe/stats_file.c rt/observe/stats_file.h \
	rt/observe/stats_table.c rt/observe/times.c rt/observe/times.h rt/observe/timing.c rt/observe/timing.h \
	rt/observe/reports.c rt/observe/reports.h rt/observe/trace.c \
	rt/steer/control_socket.c rt/steer/steer.c rt/steer/steer.h \
	rt/trace/chrome.c rt/trace/paraver.c rt/trace/perfetto.c rt/trace/timeline.c rt/trace/trace.c \
	rt/trace/trace.h rt/trace/trace_file.c rt/trace/trace_file.h \
	rt/watch/throttles.c rt/watch/throttles.h rt/watch/look.c rt/watch/look.h rt/watch/monitor.c rt/watch/monitor.h rt/watch/resolve.c rt/watch/resolve.h \
	rt/watch/watchdog.c rt/watch/watchdog.h
rt_libdalrt_la_CPPFLAGS = $(AM_CPPFLAGS) $(SCHEDULE_FLAGS)
rt_libdalrt_la_LIBADD = \
	channels/libdalchannels.la rt/devices/libdaldevices.la rt/base/libdalbase.la \
	$(OPENCL_LIBS) $(HWLOC_LIBS) $(PTHREAD_LIBS) -ldl

lib_LTLIBRARIES += rt/libdal.la
rt_libdal_la_SOURCES =
rt_libdal_la_LIBADD = rt/libdalrt.la
# It is made ready before any library of OpenMP, which would bind threads (rt/app/places.h).
rt_libdal_la_LDFLAGS = -version-info 0:0:0 -no-undefined -Wl,-z,initfirst $(SHOWN)
# What it shows; a linker without version scripts gets the names alone.
if VERSION_SCRIPTS
SHOWN = -Wl,--version-script=$(srcdir)/rt/libdal.map
EXTRA_rt_libdal_la_DEPENDENCIES = rt/libdal.map
else
SHOWN = -export-symbols rt/libdal.names
EXTRA_rt_libdal_la_DEPENDENCIES = rt/libdal.names
endif
rt/libdal.names: rt/libdal.map
	$(AM_V_GEN)$(MKDIR_P) rt && $(SED) -n 's/^    \([A-Za-z_]*\);$$/\1/p' $(srcdir)/rt/libdal.map >$@
CLEANFILES += rt/libdal.names
EXTRA_DIST += rt/libdal.map

# MPI, for networks on several nodes; their programs alone are linked with it.
if HAVE_MPI
lib_LTLIBRARIES += rt/libdal-mpi.la
endif
rt_libdal_mpi_la_SOURCES = rt/mpi/mpi.c
rt_libdal_mpi_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CFLAGS)
rt_libdal_mpi_la_LIBADD = $(MPI_LIBS)
rt_libdal_mpi_la_LDFLAGS = -version-info 0:0:0 -no-undefined -export-symbols-regex '^dal_transport_mpi$$'

# The page of a run that has ended; libdal loads it when DAL_REPORT wants one.
lib_LTLIBRARIES += rt/libdal-page.la
rt_libdal_page_la_SOURCES = view/page/page.c view/page/page.h
rt_libdal_page_la_CPPFLAGS = $(AM_CPPFLAGS)
rt_libdal_page_la_LDFLAGS = -version-info 0:0:0 -no-undefined -export-symbols-regex '^dal_page_write$$'

# The server of a running network's page; libdal loads it when DAL_VIEW wants one.
if HAVE_MICROHTTPD
lib_LTLIBRARIES += rt/libdal-live.la
endif
rt_libdal_live_la_SOURCES = rt/live/answers.c rt/live/answers.h rt/live/http.c rt/live/server.h view/page/page.c view/page/page.h
rt_libdal_live_la_CPPFLAGS = $(AM_CPPFLAGS) $(MICROHTTPD_CFLAGS)
rt_libdal_live_la_LIBADD = $(MICROHTTPD_LIBS) $(PTHREAD_LIBS)
rt_libdal_live_la_LDFLAGS = -version-info 0:0:0 -no-undefined -export-symbols-regex '^dal_live_http$$'

pkginclude_HEADERS = include/counted.h include/dal.h include/dal_collectives.h include/dal_collectives_device.h include/dal_python.h include/dal_run.h include/dol.h include/dal_unit.h include/net.h
noinst_HEADERS += include/kinds.h
