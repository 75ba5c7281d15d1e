# The video network: the same bytes on every mapping.
TESTS += test/mjpeg.sh
EXTRA_DIST += test/mjpeg.sh
