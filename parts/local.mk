# Networks to be used as parts: source="dal:NAME.xml" is parts/NAME/NAME.xml. They are installed, each with its folder.
partsdir = $(pkgdatadir)/parts
include parts/signals.mk
include parts/files.mk
include parts/net.mk
nobase_pkgdata_DATA = $(parts_signals) $(parts_files) $(parts_net)
EXTRA_DIST += $(nobase_pkgdata_DATA)
