# dalview: networks as pages and pictures.
bin_PROGRAMS += view/dalview
view_dalview_SOURCES = view/command/dot.c view/command/json.c view/command/main.c view/page/page.c view/page/page.h view/command/picture.c view/command/picture.h view/command/run.c view/command/trace.c
view_dalview_LDADD = synth/libdalsynth.la

# The page's parts as C strings. elk-*.js are what `view/page/bundle` has made.
page_parts = view/page/page_css.inc view/page/page_html.inc view/page/promises_js.inc view/page/run_js.inc view/page/page_js.inc view/page/elk_api_js.inc view/page/elk_worker_js.inc
BUILT_SOURCES += $(page_parts)
CLEANFILES += $(page_parts)
EXTRA_DIST += view/page/bundle view/page/elk-api.js view/page/elk-license.md view/page/elk-worker.js view/page/page.css view/page/page.html view/page/page.js view/page/promises.js view/page/run.js
quote_part = $(AM_V_GEN)$(MKDIR_P) view/page && $(SED) -e 's/[\\"?]/\\&/g' -e 's/.*/"&\\n"/'
view/page/page_css.inc: view/page/page.css
	$(quote_part) $(srcdir)/view/page/page.css >$@
view/page/page_html.inc: view/page/page.html
	$(quote_part) $(srcdir)/view/page/page.html >$@
view/page/promises_js.inc: view/page/promises.js
	$(quote_part) $(srcdir)/view/page/promises.js >$@
view/page/run_js.inc: view/page/run.js
	$(quote_part) $(srcdir)/view/page/run.js >$@
view/page/page_js.inc: view/page/page.js
	$(quote_part) $(srcdir)/view/page/page.js >$@
view/page/elk_api_js.inc: view/page/elk-api.js
	$(quote_part) $(srcdir)/view/page/elk-api.js >$@
view/page/elk_worker_js.inc: view/page/elk-worker.js
	$(quote_part) $(srcdir)/view/page/elk-worker.js >$@
view/page/page.$(OBJEXT) view/page/rt_libdal_live_la-page.lo view/page/rt_libdal_page_la-page.lo: $(page_parts)
