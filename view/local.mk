# dalview: networks as pages and pictures.
bin_PROGRAMS += view/dalview
view_dalview_SOURCES = view/dot.c view/json.c view/main.c view/page.c view/page.h view/picture.c view/picture.h view/run.c view/run.h view/trace.c view/trace.h
view_dalview_CPPFLAGS = $(AM_CPPFLAGS) -DDAL_VERSION='"$(PACKAGE_VERSION)"'
view_dalview_LDADD = synth/libdalsynth.la

# The page's parts as C strings. elk-*.js are what `view/page/bundle` has made.
page_parts = view/page_css.inc view/page_html.inc view/run_js.inc view/page_js.inc view/elk_api_js.inc view/elk_worker_js.inc
BUILT_SOURCES += $(page_parts)
CLEANFILES += $(page_parts)
EXTRA_DIST += view/page
quote_part = $(AM_V_GEN)$(MKDIR_P) view && $(SED) -e 's/[\\"?]/\\&/g' -e 's/.*/"&\\n"/'
view/page_css.inc: view/page/page.css
	$(quote_part) $(srcdir)/view/page/page.css >$@
view/page_html.inc: view/page/page.html
	$(quote_part) $(srcdir)/view/page/page.html >$@
view/run_js.inc: view/page/run.js
	$(quote_part) $(srcdir)/view/page/run.js >$@
view/page_js.inc: view/page/page.js
	$(quote_part) $(srcdir)/view/page/page.js >$@
view/elk_api_js.inc: view/page/elk-api.js
	$(quote_part) $(srcdir)/view/page/elk-api.js >$@
view/elk_worker_js.inc: view/page/elk-worker.js
	$(quote_part) $(srcdir)/view/page/elk-worker.js >$@
view/dalview-page.$(OBJEXT) view/rt_libdal_live_la-page.lo view/rt_libdal_page_la-page.lo: $(page_parts)
