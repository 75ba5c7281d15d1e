# KPN processes, with networks in test/kpn.
TESTS += test/kpn.sh
EXTRA_DIST += test/kpn.sh test/kpn
