bin_PROGRAMS += synth/dalsynth synth/dalmap
noinst_LTLIBRARIES += synth/libdalsynth.la

synth_libdalsynth_la_SOURCES = \
	synth/analyze.c synth/analyze.h synth/analyze_json.c synth/analyze_print.h synth/analyze_sizes.c \
	synth/analyze_table.c synth/applications.c synth/applications.h synth/build.c synth/build.h \
	synth/costs.c synth/costs.h \
	synth/emit/code.c synth/emit/commands.c synth/emit/data.c synth/emit/emit.c synth/emit/emit.h \
	synth/emit/fsm.c synth/emit/kernel.c synth/emit/made.c synth/emit/made.h synth/emit/make.c synth/emit/names.c synth/emit/net.c synth/emit/nodes.c synth/emit/openmp.c \
	synth/emit/parts.h synth/emit/ports.c synth/emit/tree.c synth/emit/tree.h \
	synth/explain.c synth/explain.h synth/here.c synth/here.h synth/libraries.c synth/libraries.h synth/list.c synth/list.h \
	synth/map/folder.c synth/map/front.c synth/map/job.h synth/map/map.c synth/map/map.h synth/map/open.c \
	synth/map/profile.c synth/map/runs.c synth/map/tell.c \
	synth/mapping.c synth/mapping.h synth/measure.c synth/measure.h synth/messages.c synth/messages.h \
	synth/options.c synth/options.h \
	synth/plan/balance.c synth/plan/capacity.c synth/plan/choose.c synth/plan/choose.h \
	synth/plan/copies.c synth/plan/facts.c synth/plan/facts.h synth/plan/fastest.c \
	synth/plan/group.c synth/plan/group.h synth/plan/group_inside.c synth/plan/group_join.c \
	synth/plan/group_keep.c synth/plan/group_live.c synth/plan/group_memory.c \
	synth/plan/group_rounds.c synth/plan/link.c synth/plan/link.h synth/plan/order.c synth/plan/place.c synth/plan/plan.c \
	synth/plan/plan.h synth/plan/readers.c synth/plan/team.c synth/plan/turns.c \
	synth/predict/advice.c synth/predict/advice.h synth/predict/change.c synth/predict/change.h \
	synth/predict/compare.c synth/predict/compare.h synth/predict/ledger.c synth/predict/ledger.h \
	synth/predict/model.c synth/predict/model.h synth/predict/predict.c synth/predict/predict.h \
	synth/predict/promise.c synth/predict/promise.h \
	synth/predict/simulate.c synth/predict/simulate.h \
	synth/search/begin.c synth/search/evaluate.c synth/search/exact.c synth/search/front.c synth/search/front.h synth/search/local.c synth/search/search.c \
	synth/search/search.h synth/search/space.c synth/search/space.h synth/search/tried.c synth/search/tried.h \
	synth/profile.c synth/profile.h synth/program.c synth/program.h synth/sdf3.c synth/sdf3.h \
	synth/source/ahead.c synth/source/alone.c synth/source/collectives.c synth/source/constants.c synth/source/copy.c synth/source/counted.c synth/source/counted.h synth/source/csource.c synth/source/cuda.c synth/source/cxx.c \
	synth/source/group.c synth/source/group.h synth/source/group_text.c synth/source/kernel.c \
	synth/source/openmp.c synth/source/options.c synth/source/portable.c synth/source/preprocess.c \
	synth/source/reader.c synth/source/reader.h synth/source/source.h synth/source/tree.c synth/source/tree.h \
	synth/source/tree_blocks.c synth/source/tree_cuda.c synth/source/tree_group.c synth/source/tree_kernel.c synth/source/tree_memory.c synth/source/tree_openmp.c synth/source/tree_portable.c \
	synth/source/token.c synth/source/token.h synth/source/tree_type.c synth/source/type.c synth/source/type.h \
	synth/source/unit.c synth/source/unit.h \
	synth/source/variants.c synth/source/variants.h \
	synth/table.c synth/table.h synth/temporary.c synth/temporary.h synth/text.c synth/text.h \
	synth/verify.c synth/verify.h
synth_libdalsynth_la_CPPFLAGS = $(AM_CPPFLAGS) -DDAL_PKGCONFIGDIR='"$(pkgconfigdir)"' \
	-DDAL_CLANG_RESOURCES='"$(LIBCLANG_RESOURCES)"'
synth_libdalsynth_la_CFLAGS = $(AM_CFLAGS) $(LIBCLANG_CFLAGS)
synth_libdalsynth_la_LIBADD = spec/libdalspec.la $(LIBCLANG_LIBS) -lm

# What stands in front of a source, as C strings.
quoted = synth/source/dal_collectives_h.inc synth/source/dal_collectives_device_h.inc synth/source/dal_h.inc synth/source/dal_unit_h.inc synth/source/dol_h.inc synth/source/portable_cl.inc \
	synth/source/nvrtc_h.inc synth/source/opencl_c_h.inc
BUILT_SOURCES += $(quoted)
EXTRA_DIST += synth/source/nvrtc.h synth/source/portable.cl
CLEANFILES += $(quoted)
quote_header = $(AM_V_GEN)$(MKDIR_P) synth/source && \
	$(SED) -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/'
synth/source/dal_h.inc: include/dal.h
	$(quote_header) $(srcdir)/include/dal.h >$@
synth/source/dal_collectives_h.inc: include/dal_collectives.h
	$(quote_header) $(srcdir)/include/dal_collectives.h >$@
synth/source/dal_collectives_device_h.inc: include/dal_collectives_device.h
	$(quote_header) $(srcdir)/include/dal_collectives_device.h >$@
synth/source/dol_h.inc: include/dol.h
	$(quote_header) $(srcdir)/include/dol.h >$@
synth/source/dal_unit_h.inc: include/dal_unit.h
	$(quote_header) $(srcdir)/include/dal_unit.h >$@
synth/source/nvrtc_h.inc: synth/source/nvrtc.h
	$(quote_header) $(srcdir)/synth/source/nvrtc.h >$@
synth/source/opencl_c_h.inc: rt/cuda/opencl_c.h
	$(quote_header) $(srcdir)/rt/cuda/opencl_c.h >$@
synth/source/portable_cl.inc: synth/source/portable.cl
	$(quote_header) $(srcdir)/synth/source/portable.cl >$@
synth/source/libdalsynth_la-collectives.lo synth/source/libdalsynth_la-tree.lo synth/source/libdalsynth_la-portable.lo: $(quoted)

synth_dalsynth_SOURCES = synth/main.c
synth_dalsynth_CPPFLAGS = $(AM_CPPFLAGS) -DDAL_VERSION='"$(PACKAGE_VERSION)"' -DDAL_HAS_MPI=$(DAL_HAS_MPI)
synth_dalsynth_LDADD = synth/libdalsynth.la

synth_dalmap_SOURCES = synth/dalmap.c
synth_dalmap_CPPFLAGS = $(AM_CPPFLAGS) -DDAL_VERSION='"$(PACKAGE_VERSION)"'
synth_dalmap_LDADD = synth/libdalsynth.la
