noinst_LTLIBRARIES += rt/base/libdalbase.la

rt_base_libdalbase_la_SOURCES = \
	rt/base/alloc.c \
	rt/base/alloc.h \
	rt/base/cache.c \
	rt/base/cache.h \
	rt/base/child.c \
	rt/base/child.h \
	rt/base/clock.c \
	rt/base/clock.h \
	rt/base/cores.c \
	rt/base/cores.h \
	rt/base/count.h \
	rt/base/error.c \
	rt/base/error.h \
	rt/base/fault.c \
	rt/base/fault.h \
	rt/base/histogram.c \
	rt/base/histogram.h \
	rt/base/line.c \
	rt/base/line.h \
	rt/base/json.c \
	rt/base/json.h \
	rt/base/memory_stream.h \
	rt/base/overlay.c \
	rt/base/overlay.h \
	rt/base/npy.c \
	rt/base/npy.h \
	rt/base/number.h \
	rt/base/output.c \
	rt/base/output.h \
	rt/base/poison.h \
	rt/base/program_options.h \
	rt/base/pace.h \
	rt/base/plugin.c \
	rt/base/plugin.h \
	rt/base/setting.c \
	rt/base/setting.h \
	rt/base/sha256.c \
	rt/base/sha256.h \
	rt/base/shape.c \
	rt/base/shape.h \
	rt/base/snapshot.c \
	rt/base/snapshot.h \
	rt/base/signals.c \
	rt/base/signals.h \
	rt/base/sync.h \
	rt/base/thread.c \
	rt/base/token.c \
	rt/base/token.h \
	rt/base/thread.h \
	rt/base/ticker.c \
	rt/base/ticker.h \
	rt/base/turns.c \
	rt/base/turns.h \
	rt/base/value.c \
	rt/base/value.h \
	rt/base/verdict.c \
	rt/base/verdict.h \
	rt/base/realtime.c \
	rt/base/realtime.h \
	rt/base/wake.c \
	rt/base/wake.h
rt_base_libdalbase_la_CPPFLAGS = $(AM_CPPFLAGS) $(SCHEDULE_FLAGS) $(HWLOC_CFLAGS)
rt_base_libdalbase_la_LIBADD = $(HWLOC_LIBS)

if SCHEDULES
rt_base_libdalbase_la_LIBADD += test/schedules/libdalschedule.la
endif
