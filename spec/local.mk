# Reads, checks and analyses the specifications.
noinst_LTLIBRARIES += spec/libdalspec.la

spec_libdalspec_la_SOURCES = \
	spec/check_architecture.c \
	spec/check_effect.c \
	spec/check_fanout.c \
	spec/check_fsm.c \
	spec/check_mapping.c \
	spec/check_network.c \
	spec/check_nodes.c \
	spec/codes.h \
	spec/diag.c \
	spec/diag.h \
	spec/expr.c \
	spec/expr.h \
	spec/file.c \
	spec/file.h \
	spec/fsm.c \
	spec/fsm.h \
	spec/load.c \
	spec/model.c \
	spec/model.h \
	spec/names.c \
	spec/names.h \
	spec/raw.c \
	spec/raw.h \
	spec/sdf.h \
	spec/sdf3.h \
	spec/sdf_buffer.h \
	spec/sdf_change.c \
	spec/sdf_change.h \
	spec/sdf_deadlock.c \
	spec/sdf_deadlock.h \
	spec/sdf_exec.c \
	spec/sdf_exec.h \
	spec/sdf_fastest.c \
	spec/sdf_graph.c \
	spec/sdf_graph.h \
	spec/sdf_live.c \
	spec/sdf_minimum.c \
	spec/sdf_pareto.c \
	spec/sdf_rate.c \
	spec/sdf_ratio.h \
	spec/sdf_repair.c \
	spec/sdf_repair.h \
	spec/sdf_report.c \
	spec/sdf_report.h \
	spec/sdf_search.c \
	spec/sdf_search.h \
	spec/sdf_sizing.c \
	spec/sdf_sizing.h \
	spec/sdf_static.c \
	spec/sdf_static.h \
	spec/sdf_strong.c \
	spec/sdf_time.c \
	spec/sdf_time.h \
	spec/select.c \
	spec/select.h \
	spec/times.c \
	spec/times.h \
	spec/write.c \
	spec/xml_architecture.c \
	spec/xml_channel.c \
	spec/xml_fsm.c \
	spec/xml_iterate.c \
	spec/xml_mapping.c \
	spec/xml_network.c \
	spec/xml_network.h \
	spec/xml_process.c \
	spec/xml_read.c \
	spec/xml_read.h \
	spec/xml_sdf3.c \
	spec/xml_value.c
nodist_spec_libdalspec_la_SOURCES = spec/schemas.c
spec_libdalspec_la_CPPFLAGS = $(AM_CPPFLAGS) $(LIBXML2_CFLAGS)
spec_libdalspec_la_LIBADD = rt/base/libdalbase.la $(LIBXML2_LIBS)

dist_pkgdata_DATA += \
	spec/processnetwork.xsd \
	spec/architecture.xsd \
	spec/mapping.xsd \
	spec/fsm.xsd

# The schemas as arrays of bytes: od prints them, sed makes C of it.
spec/schemas.c: spec/processnetwork.xsd spec/architecture.xsd spec/mapping.xsd spec/fsm.xsd
	$(AM_V_GEN)$(MKDIR_P) spec && { \
	  echo '#include <stddef.h>'; \
	  for name in processnetwork architecture mapping fsm; do \
	    echo "const unsigned char dal__$${name}_xsd[] = {"; \
	    od -An -v -tx1 $(srcdir)/spec/$$name.xsd | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'; \
	    echo '};'; \
	    echo "const size_t dal__$${name}_xsd_bytes = sizeof(dal__$${name}_xsd);"; \
	  done; } >$@.tmp && mv $@.tmp $@

CLEANFILES += spec/schemas.c spec/schemas.c.tmp
