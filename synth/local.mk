bin_PROGRAMS += synth/dalsynth
noinst_LTLIBRARIES += synth/libdalsynth.la

synth_libdalsynth_la_SOURCES = \
	synth/analyze.c \
	synth/analyze.h \
	synth/analyze_json.c \
	synth/analyze_print.h \
	synth/analyze_table.c \
	synth/applications.c \
	synth/applications.h \
	synth/balance.c \
	synth/build.c \
	synth/build.h \
	synth/capacity.c \
	synth/copies.c \
	synth/csource.c \
	synth/emit.c \
	synth/emit.h \
	synth/emit_code.c \
	synth/emit_commands.c \
	synth/emit_data.c \
	synth/emit_fsm.c \
	synth/emit_kernel.c \
	synth/emit_make.c \
	synth/emit_net.c synth/emit_ports.c \
	synth/expand.c \
	synth/expand.h \
	synth/explain.c \
	synth/explain_fsm.c \
	synth/fanout.c \
	synth/fastest.c \
	synth/explain.h \
	synth/keeps.c synth/keeps.h \
	synth/kernel.c \
	synth/local_memory.c \
	synth/local_memory.h \
	synth/messages.c \
	synth/messages.h \
	synth/order.c \
	synth/place.c \
	synth/plan.c \
	synth/plan.h \
	synth/portable.c \
	synth/portable_check.c \
	synth/run.c \
	synth/run.h \
	synth/scan.c \
	synth/sdf3.c \
	synth/sdf3.h \
	synth/scan.h \
	synth/table.c \
	synth/table.h \
	synth/text.c \
	synth/text.h \
	synth/unit.c \
	synth/unit.h
synth_libdalsynth_la_CPPFLAGS = $(AM_CPPFLAGS) -DDAL_PKGCONFIGDIR='"$(pkgconfigdir)"'
synth_libdalsynth_la_LIBADD = spec/libdalspec.la

synth_dalsynth_SOURCES = synth/main.c
synth_dalsynth_CPPFLAGS = $(AM_CPPFLAGS) -DDAL_VERSION='"$(PACKAGE_VERSION)"'
synth_dalsynth_LDADD = synth/libdalsynth.la
