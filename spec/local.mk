# Reads, checks and analyses the specifications.
noinst_LTLIBRARIES += spec/libdalspec.la

spec_libdalspec_la_SOURCES = \
	spec/check/architecture.c spec/check/check.h spec/check/costs.c spec/check/counted.c spec/check/effect.c spec/check/fsm.c \
	spec/check/inplace.c spec/check/mapping.c spec/check/network.c spec/check/nodes.c spec/check/phases.c spec/check/readers.c \
	spec/check/select.c spec/check/time.c \
	spec/by_phase.c spec/capability.c spec/codes.h spec/costs.c spec/costs.h spec/cycle.c spec/diag.c spec/diag.h spec/file.c spec/file.h spec/fsm.c spec/fsm.h spec/graph.c \
	spec/graph.h spec/key.c spec/key.h spec/limits.h spec/load.c spec/model.c spec/model.h \
	spec/read/architecture.c spec/read/channel.c spec/read/costs.c spec/read/costs.h spec/read/dialect.c spec/read/dialect.h \
	spec/read/duration.c spec/read/entries.c spec/read/entries.h \
	spec/read/expr.c spec/read/expr.h spec/read/flattened.c spec/read/fsm.c spec/read/iterate.c spec/read/json.c spec/read/json.h \
	spec/read/libraries.c spec/read/libraries.h \
	spec/read/mapping.c spec/read/measured.c spec/read/measured.h spec/read/meant.c spec/read/meant.h spec/read/members.c spec/read/members.h spec/read/merge.c spec/read/merge.h \
	spec/read/names.c spec/read/names.h spec/read/network.c \
	spec/read/network.h spec/read/process.c spec/read/range.c spec/read/range.h spec/read/raw.c spec/read/raw.h spec/read/sdf3.c spec/read/sdf3_properties.c spec/read/sdf3_reader.h spec/read/sequence.c spec/read/short.c spec/read/short.h spec/read/short_channel.c spec/read/short_parts.c spec/read/short_parts.h spec/read/short_port.c spec/read/short_process.c spec/read/short_sources.c spec/read/tags.c spec/read/tags.h \
	spec/read/shorten.c spec/read/sizes.c spec/read/sizes.h spec/read/stats.c spec/read/stats.h \
	spec/read/tidy.c spec/read/tidy.h spec/read/times.c spec/read/times.h spec/read/typed.c spec/read/typed.h spec/read/value.c spec/read/xml.c spec/read/xml.h \
	spec/sdf/change.c spec/sdf/exec.c spec/sdf/exec.h spec/sdf/forest.h spec/sdf/graph.c \
	spec/sdf/graph.h spec/sdf/kperiodic.c spec/sdf/kperiodic.h spec/sdf/live.c spec/sdf/live.h spec/sdf/rate.c spec/sdf/rate.h spec/sdf/ratio.c spec/sdf/ratio.h \
	spec/sdf/repair.c spec/sdf/repair.h spec/sdf/report.c spec/sdf/report.h spec/sdf/search.c \
	spec/sdf/search.h spec/sdf/sizing.c spec/sdf/sizing.h spec/sdf/time.c spec/sdf/time.h \
	spec/sdf3.h spec/short.h spec/types.h spec/write.c
nodist_spec_libdalspec_la_SOURCES = spec/schemas.c
spec_libdalspec_la_CPPFLAGS = $(AM_CPPFLAGS) $(LIBXML2_CFLAGS)
spec_libdalspec_la_LIBADD = rt/base/libdalbase.la $(LIBXML2_LIBS)

dist_pkgdata_DATA += \
	spec/processnetwork.xsd \
	spec/architecture.xsd \
	spec/mapping.xsd \
	spec/fsm.xsd \
	spec/catalog.xml

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
