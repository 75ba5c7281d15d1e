# Applications as DAL has them.
TESTS += test/dal_style.sh
EXTRA_DIST += test/dal_style.sh test/dal_style
