# Manual pages, and texts that come with the sources alone.
dist_man_MANS = \
	doc/man/dal.1 doc/man/dalbench.1 doc/man/dalinfo.1 doc/man/dalmap.1 doc/man/dalsynth.1 doc/man/dalview.1 \
	doc/man/dal.h.3 doc/man/dal_collectives.h.3 doc/man/dal_run.h.3 \
	doc/man/dal-architecture.5 doc/man/dal-fsm.5 doc/man/dal-mapping.5 doc/man/dal-network.5 \
	doc/man/dal-parts.7 doc/man/dal-program.7
EXTRA_DIST += doc/bench doc/develop doc/explanation doc/manual doc/picture.svg doc/reference

# `make html`: a site of README.md, the manual and the reference, in html of the build folder.
EXTRA_DIST += doc/site
html-local: # a user asks for it; nothing needs it
	$(srcdir)/doc/site/make '$(abs_srcdir)' '$(abs_builddir)/html'
