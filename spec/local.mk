# Reads, checks and analyses the three specifications.
noinst_LTLIBRARIES += spec/libdalspec.la

spec_libdalspec_la_SOURCES = \
	spec/check_architecture.c \
	spec/check_mapping.c \
	spec/check_network.c \
	spec/codes.h \
	spec/diag.c \
	spec/diag.h \
	spec/expr.c \
	spec/expr.h \
	spec/load.c \
	spec/model.c \
	spec/model.h \
	spec/names.c \
	spec/names.h \
	spec/raw.c \
	spec/raw.h \
	spec/sdf.h \
	spec/sdf_live.c \
	spec/sdf_rate.c \
	spec/select.c \
	spec/select.h \
	spec/xml_architecture.c \
	spec/xml_iterate.c \
	spec/xml_mapping.c \
	spec/xml_network.c \
	spec/xml_read.c \
	spec/xml_read.h \
	spec/xml_value.c
nodist_spec_libdalspec_la_SOURCES = spec/schemas.c
spec_libdalspec_la_CPPFLAGS = $(AM_CPPFLAGS) $(LIBXML2_CFLAGS)
spec_libdalspec_la_LIBADD = rt/base/libdalbase.la $(LIBXML2_LIBS)

dist_pkgdata_DATA += \
	spec/processnetwork.xsd \
	spec/architecture.xsd \
	spec/mapping.xsd

# The schemas as arrays of bytes: od prints them, sed makes C of it.
spec/schemas.c: spec/processnetwork.xsd spec/architecture.xsd spec/mapping.xsd
	$(AM_V_GEN)$(MKDIR_P) spec && { \
	  echo '#include <stddef.h>'; \
	  for name in processnetwork architecture mapping; do \
	    echo "const unsigned char dal__$${name}_xsd[] = {"; \
	    od -An -v -tx1 $(srcdir)/spec/$$name.xsd | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'; \
	    echo '};'; \
	    echo "const size_t dal__$${name}_xsd_bytes = sizeof(dal__$${name}_xsd);"; \
	  done; } >$@.tmp && mv $@.tmp $@

CLEANFILES += spec/schemas.c spec/schemas.c.tmp
