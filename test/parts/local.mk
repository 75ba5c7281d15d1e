# A test for each part, which has its name, and those of all parts.
include test/parts/signals.mk
include test/parts/files.mk
include test/parts/net.mk
tests_parts = test/parts/pages.sh test/parts/variables.sh $(tests_parts_signals) $(tests_parts_files) $(tests_parts_net)
dist_check_SCRIPTS += $(tests_parts)
EXTRA_DIST += test/parts/lib.sh test/parts/pages.py
# A part is C of a user: what dalsynth makes of it is tested with sanitizers elsewhere.
PLAIN_TESTS += $(tests_parts)
