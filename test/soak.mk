# The video network for seconds here; SOAK_SECONDS=900 for a quarter of an hour each.
check_PROGRAMS += test/whole_frames
TESTS += test/soak.sh
EXTRA_DIST += test/soak.sh
test_whole_frames_SOURCES = test/whole_frames.c
