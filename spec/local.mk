# Reads, checks and analyses the specifications.
noinst_LTLIBRARIES += spec/libdalspec.la

spec_libdalspec_la_SOURCES = \
	spec/analyse/by_phase.c spec/analyse/first.c spec/analyse/graph.c spec/analyse/graph.h \
	spec/base/codes.h spec/base/diag.c spec/base/diag.h spec/base/file.c spec/base/file.h spec/base/limits.h \
	spec/base/names.c spec/base/names.h spec/base/report.c spec/base/report.h spec/base/table.c spec/base/table.h spec/base/temporary.c \
	spec/base/temporary.h spec/base/text.c spec/base/text.h spec/base/tree.c spec/base/tree.h spec/base/uri.c spec/base/uri.h \
	spec/check/architecture.c spec/check/bound.c spec/check/check.h spec/check/choice.c spec/check/cores.c spec/check/costs.c spec/check/counted.c spec/check/effect.c \
	spec/check/fallback.c spec/check/fsm.c spec/check/inplace.c spec/check/mapping.c spec/check/mapping.h spec/check/network.c spec/check/newest.c spec/check/nodes.c spec/check/nodes.h \
	spec/check/override.c spec/check/phases.c spec/check/readers.c spec/check/select.c spec/check/time.c \
	spec/dialects/dol/dialect.c spec/dialects/dol/dialect.h spec/dialects/dol/flattened.c \
	spec/dialects/sdf3/sdf3.c spec/dialects/sdf3/sdf3.h spec/dialects/sdf3/sdf3_first.c spec/dialects/sdf3/sdf3_names.c spec/dialects/sdf3/sdf3_properties.c \
	spec/dialects/sdf3/sdf3_reader.h \
	spec/dialects/short/short.c spec/dialects/short/short.h spec/dialects/short/short_channel.c \
	spec/dialects/short/short_parts.c spec/dialects/short/short_parts.h spec/dialects/short/short_port.c \
	spec/dialects/short/short_process.c spec/dialects/short/short_sources.c spec/dialects/short/tidy.c \
	spec/dialects/short/tidy.h \
	spec/load/load.c spec/load/load.h \
	spec/model/capability.c spec/model/complete.h spec/model/costs.c spec/model/costs.h spec/model/curve.c spec/model/curve.h spec/model/cycle.c spec/model/execution.h spec/model/fsm.c spec/model/fsm.h spec/model/key.c \
	spec/model/key.h spec/model/libs.c spec/model/libs.h spec/model/model.c spec/model/model.h spec/model/traits.h spec/model/types.h spec/model/variables.c spec/model/variables.h \
	spec/read/architecture.c spec/read/channel.c spec/read/costs.c spec/read/costs.h spec/read/curve.c spec/read/curve.h spec/read/duration.c \
	spec/read/ends.c spec/read/ends.h spec/read/entries.c spec/read/entries.h spec/read/expr.c spec/read/expr.h spec/read/fsm.c \
	spec/read/installed.c spec/read/installed.h spec/read/iterate.c spec/read/join.c spec/read/join.h spec/read/json.c spec/read/json.h spec/read/libraries.c spec/read/libraries.h \
	spec/read/mapping.c spec/read/measured.c spec/read/measured.h spec/read/meet.c spec/read/meet.h \
	spec/read/members.c spec/read/members.h spec/read/merge.c spec/read/merge.h spec/read/names.c spec/read/network.c \
	spec/read/network.h spec/read/open.c spec/read/own.c spec/read/own.h spec/read/open.h spec/read/part.c spec/read/part.h spec/read/process.c spec/read/range.c spec/read/range.h spec/read/raw.c spec/read/raw.h spec/read/recording.c spec/read/recording.h \
	spec/read/sequence.c spec/read/sizes.c spec/read/sizes.h spec/read/stats.c spec/read/stats.h \
	spec/read/tap.c spec/read/tap.h spec/read/tap_cut.c spec/read/tap_edges.c spec/read/tap_edges.h spec/read/tap_listen.c \
	spec/read/times.c spec/read/times.h spec/read/typed.c spec/read/typed.h \
	spec/read/constant.c spec/read/value.c spec/read/variable.c spec/read/variable.h spec/read/xml.c spec/read/xml.h \
	spec/sdf/change.c spec/sdf/engine.c spec/sdf/engine.h spec/sdf/evaluate.c spec/sdf/evaluate.h spec/sdf/exec.c spec/sdf/exec.h spec/sdf/flows.c spec/sdf/flows.h spec/sdf/forest.h spec/sdf/graph.c spec/sdf/graph.h \
	spec/sdf/kperiodic.c spec/sdf/kperiodic.h spec/sdf/live.c spec/sdf/live.h spec/sdf/maxplus.c spec/sdf/maxplus.h spec/sdf/rate.c spec/sdf/rate.h \
	spec/sdf/ratio.c spec/sdf/ratio.h spec/sdf/repair.c spec/sdf/repair.h spec/sdf/report.c spec/sdf/report.h \
	spec/sdf/search.c spec/sdf/search.h spec/sdf/sizing.c spec/sdf/sizing.h spec/sdf/time.c spec/sdf/time.h \
	spec/xml/document.c spec/xml/document.h spec/xml/node.c spec/xml/node.h spec/xml/schema.c spec/xml/schema.h \
	spec/xml/schema_check.c spec/xml/schema_tree.h spec/xml/schema_value.c spec/xml/tags.c spec/xml/tags.h spec/xml/words.c spec/xml/words.h \
	spec/write/describe.c spec/write/describe.h spec/write/edits.c spec/write/edits.h spec/write/flat.c spec/write/short.h spec/write/shorten.c spec/write/write.c
nodist_spec_libdalspec_la_SOURCES = spec/schemas/schemas.c
spec_libdalspec_la_CPPFLAGS = $(AM_CPPFLAGS) $(LIBXML2_CFLAGS) -DDAL_PARTS_FOLDER='"$(partsdir)"'
spec_libdalspec_la_LIBADD = rt/base/libdalbase.la $(LIBXML2_LIBS) -lm

dist_pkgdata_DATA += \
	spec/schemas/processnetwork.xsd \
	spec/schemas/architecture.xsd \
	spec/schemas/mapping.xsd \
	spec/schemas/fsm.xsd \
	spec/schemas/types.xsd \
	spec/schemas/catalog.xml

# The schemas as arrays of bytes: od prints them, sed makes C of it.
spec/schemas/schemas.c: spec/schemas/processnetwork.xsd spec/schemas/architecture.xsd spec/schemas/mapping.xsd spec/schemas/fsm.xsd spec/schemas/types.xsd
	$(AM_V_GEN)$(MKDIR_P) spec/schemas && { \
	  echo '#include <stddef.h>'; \
	  for name in processnetwork architecture mapping fsm types; do \
	    echo "const unsigned char dal__$${name}_xsd[] = {"; \
	    od -An -v -tx1 $(srcdir)/spec/schemas/$$name.xsd | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'; \
	    echo '};'; \
	    echo "const size_t dal__$${name}_xsd_bytes = sizeof(dal__$${name}_xsd);"; \
	  done; } >$@.tmp && mv $@.tmp $@

CLEANFILES += spec/schemas/schemas.c spec/schemas/schemas.c.tmp
