bin_PROGRAMS += synth/dalsynth synth/dalmap
noinst_LTLIBRARIES += synth/libdalsynth.la

synth_libdalsynth_la_SOURCES = \
	synth/codegen/c/ahead.c synth/codegen/c/alone.c synth/codegen/c/collectives.c synth/codegen/c/constants.c \
	synth/codegen/c/copy.c synth/codegen/c/counted.c synth/codegen/c/counted.h synth/codegen/c/csource.c \
	synth/codegen/c/cxx.c synth/codegen/c/file.c synth/codegen/c/foreach.c synth/codegen/c/functions.c synth/codegen/c/openmp.c synth/codegen/c/python.c synth/codegen/c/share.c synth/codegen/c/source.h synth/codegen/c/stateless.c \
	synth/codegen/c/token.c synth/codegen/c/token.h synth/codegen/c/type.c synth/codegen/c/type.h \
	synth/codegen/c/unit.h \
	synth/codegen/clang/reader.c synth/codegen/clang/reader.h synth/codegen/clang/tree.c \
	synth/codegen/clang/tree.h synth/codegen/clang/tree_blocks.c synth/codegen/clang/tree_blocks.h synth/codegen/clang/tree_c.c synth/codegen/clang/tree_cuda.c \
	synth/codegen/clang/tree_group.c synth/codegen/clang/tree_kernel.c synth/codegen/clang/tree_memory.c \
	synth/codegen/clang/given.c synth/codegen/clang/given.h synth/codegen/clang/tree_asks.c synth/codegen/clang/tree_known.c synth/codegen/clang/tree_leads.c synth/codegen/clang/tree_openmp.c synth/codegen/clang/tree_outside.c synth/codegen/clang/tree_parse.c synth/codegen/clang/tree_portable.c synth/codegen/clang/tree_portable.h synth/codegen/clang/tree_edits.c synth/codegen/clang/tree_math.c synth/codegen/clang/tree_read.c synth/codegen/clang/tree_refused.c synth/codegen/clang/tree_stateless.c synth/codegen/clang/tree_loops.c synth/codegen/clang/tree_steps.c synth/codegen/clang/tree_steps.h synth/codegen/clang/tree_index.c \
	synth/codegen/clang/tree_type.c synth/codegen/clang/tree_uses.c \
	synth/codegen/emit/code.c synth/codegen/emit/commands.c synth/codegen/emit/data.c synth/codegen/emit/emit.c \
	synth/codegen/emit/emit.h synth/codegen/emit/fields.c synth/codegen/emit/fields.h synth/codegen/emit/fsm.c synth/codegen/emit/kernel.c synth/codegen/emit/library.c synth/codegen/emit/made.c \
	synth/codegen/emit/made.h synth/codegen/emit/make.c synth/codegen/emit/names.c synth/codegen/emit/net.c \
	synth/codegen/emit/net.h synth/codegen/emit/net_group.c synth/codegen/emit/net_process.c \
	synth/codegen/emit/nodes.c synth/codegen/emit/openmp.c synth/codegen/emit/parts.h \
	synth/codegen/emit/ports.c \
	synth/codegen/kernel/cuda.c synth/codegen/kernel/firings.c synth/codegen/kernel/function.c synth/codegen/kernel/function.h \
	synth/codegen/kernel/group.c synth/codegen/kernel/group.h \
	synth/codegen/kernel/group_text.c synth/codegen/kernel/job.c synth/codegen/kernel/job.h synth/codegen/kernel/kernel.c synth/codegen/kernel/options.c \
	synth/codegen/kernel/place.c synth/codegen/kernel/portable.c synth/codegen/kernel/preprocess.c synth/codegen/kernel/signature.c \
	synth/codegen/kernel/steps.c synth/codegen/kernel/steps.h synth/codegen/kernel/variants.c synth/codegen/kernel/variants.h \
	synth/codegen/kernel/unit.c synth/codegen/kernel/unit.h \
	synth/codegen/kernel/words.c synth/codegen/kernel/group_call.c \
	synth/codegen/units/units.c \
	synth/command/analyze.c synth/command/analyze.h synth/command/analyze_json.c synth/command/analyze_print.h \
	synth/command/analyze_sizes.c synth/command/analyze_table.c synth/command/build.c synth/command/commands.h synth/command/diff.c synth/command/diff_maps.c synth/command/diff.h \
	synth/command/forms.c synth/command/help.c synth/command/set.c synth/command/found.c synth/command/found.h synth/command/here.c synth/command/here.h \
	synth/command/list.c synth/command/map.c \
	synth/command/options.c synth/command/options.h synth/command/request.h \
	synth/command/sdf3.c synth/command/tune.c synth/command/tune.h synth/command/values.c synth/command/verbs.c synth/command/verbs.h \
	synth/plan/balance.c synth/plan/capacity.c synth/plan/choose.c synth/plan/choose_time.c synth/plan/choose.h synth/plan/copies.c \
	synth/plan/facts.c synth/plan/facts.h synth/plan/fastest.c synth/plan/group.c synth/plan/group.h \
	synth/plan/group_inside.c synth/plan/group_join.c synth/plan/group_keep.c synth/plan/group_live.c \
	synth/plan/group_memory.c synth/plan/group_rounds.c synth/plan/link.c synth/plan/link.h \
	synth/plan/mapping.c synth/plan/mapping.h synth/plan/order.c synth/plan/place.c synth/plan/plan.c \
	synth/plan/plan.h synth/plan/priorities.c synth/plan/readers.c synth/plan/ring.c synth/plan/ring.h synth/plan/team.c synth/plan/turns.c \
	synth/program/applications.c synth/program/applications.h synth/program/build.c synth/program/build.h \
	synth/program/costs.c synth/program/costs.h synth/program/depends.c synth/program/depends.h synth/program/dump.c synth/program/dump.h synth/program/explain.c synth/program/explain.h synth/program/explain_json.c synth/program/explain_newest.c synth/program/explain_times.c \
	synth/program/libraries.c synth/program/libraries.h synth/program/measure.c synth/program/measure.h \
	synth/program/messages.c synth/program/messages.h synth/program/unknown.c synth/program/profile.c synth/program/profile.h \
	synth/program/program.c synth/program/program.h synth/program/verify.c synth/program/verify.h \
	synth/tune/map/folder.c synth/tune/map/front.c synth/tune/map/job.h synth/tune/map/map.c \
	synth/tune/map/map.h synth/tune/map/open.c synth/tune/map/profile.c synth/tune/map/rank.c synth/tune/map/runs.c \
	synth/tune/map/tell.c \
	synth/tune/predict/advice.c synth/tune/predict/advice.h synth/tune/predict/change.c \
	synth/tune/predict/change.h synth/tune/predict/compare.c synth/tune/predict/compare.h synth/tune/predict/curves.c synth/tune/predict/execute.c synth/tune/predict/execute.h \
	synth/tune/predict/iterations.c synth/tune/predict/lasts.c synth/tune/predict/ledger.c synth/tune/predict/ledger.h synth/tune/predict/model.c \
	synth/tune/predict/model.h synth/tune/predict/paces.c synth/tune/predict/predict.c synth/tune/predict/predict.h synth/tune/predict/predict_print.c \
	synth/tune/predict/promise.c synth/tune/predict/promise.h synth/tune/predict/rings.c synth/tune/predict/simulate.c \
	synth/tune/predict/saving.c synth/tune/predict/saving.h synth/tune/predict/simulate.h synth/tune/predict/spread.c synth/tune/predict/spread.h synth/tune/predict/takes.c \
	synth/tune/search/begin.c synth/tune/search/choices.c synth/tune/search/choices.h synth/tune/search/evaluate.c synth/tune/search/exact.c synth/tune/search/front.c \
	synth/tune/search/front.h synth/tune/search/local.c synth/tune/search/search.c synth/tune/search/search.h \
	synth/tune/search/space.c synth/tune/search/space.h synth/tune/search/tried.c synth/tune/search/tried.h
synth_libdalsynth_la_CPPFLAGS = $(AM_CPPFLAGS) -DDAL_PKGCONFIGDIR='"$(pkgconfigdir)"' \
	-DDAL_CLANG_RESOURCES='"$(LIBCLANG_RESOURCES)"' -DDAL_HAS_MPI=$(DAL_HAS_MPI)
synth_libdalsynth_la_CFLAGS = $(AM_CFLAGS) $(LIBCLANG_CFLAGS)
synth_libdalsynth_la_LIBADD = spec/libdalspec.la $(LIBCLANG_LIBS) -lm

# What stands in front of a source, as C strings.
quoted = synth/codegen/clang/dal_collectives_h.inc synth/codegen/clang/dal_collectives_device_h.inc synth/codegen/clang/dal_h.inc synth/codegen/clang/dal_unit_h.inc synth/codegen/clang/dol_h.inc synth/codegen/kernel/portable_cl.inc \
	synth/codegen/clang/nvrtc_h.inc synth/codegen/clang/opencl_c_h.inc synth/codegen/c/process_py.inc
BUILT_SOURCES += $(quoted)
EXTRA_DIST += synth/codegen/c/process.py synth/codegen/kernel/nvrtc.h synth/codegen/kernel/portable.cl
CLEANFILES += $(quoted)
quote_header = $(AM_V_GEN)$(MKDIR_P) synth/codegen/c synth/codegen/clang synth/codegen/kernel && \
	$(SED) -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/'
synth/codegen/clang/dal_h.inc: include/dal.h
	$(quote_header) $(srcdir)/include/dal.h >$@
synth/codegen/clang/dal_collectives_h.inc: include/dal_collectives.h
	$(quote_header) $(srcdir)/include/dal_collectives.h >$@
synth/codegen/clang/dal_collectives_device_h.inc: include/dal_collectives_device.h
	$(quote_header) $(srcdir)/include/dal_collectives_device.h >$@
synth/codegen/clang/dol_h.inc: include/dol.h
	$(quote_header) $(srcdir)/include/dol.h >$@
synth/codegen/clang/dal_unit_h.inc: include/dal_unit.h
	$(quote_header) $(srcdir)/include/dal_unit.h >$@
synth/codegen/clang/nvrtc_h.inc: synth/codegen/kernel/nvrtc.h
	$(quote_header) $(srcdir)/synth/codegen/kernel/nvrtc.h >$@
synth/codegen/clang/opencl_c_h.inc: rt/cuda/opencl_c.h
	$(quote_header) $(srcdir)/rt/cuda/opencl_c.h >$@
synth/codegen/c/process_py.inc: synth/codegen/c/process.py
	$(quote_header) $(srcdir)/synth/codegen/c/process.py >$@
synth/codegen/kernel/portable_cl.inc: synth/codegen/kernel/portable.cl
	$(quote_header) $(srcdir)/synth/codegen/kernel/portable.cl >$@
synth/codegen/c/libdalsynth_la-collectives.lo synth/codegen/c/libdalsynth_la-python.lo synth/codegen/clang/libdalsynth_la-tree_parse.lo synth/codegen/kernel/libdalsynth_la-portable.lo: $(quoted)

synth_dalsynth_SOURCES = synth/command/dalsynth.c
synth_dalsynth_LDADD = synth/libdalsynth.la
synth_dalmap_SOURCES = synth/command/dalmap.c
synth_dalmap_LDADD = synth/libdalsynth.la

# dal: all verbs; it finds the others beside it.
bin_PROGRAMS += tools/dal
tools_dal_SOURCES = synth/command/dal.c
tools_dal_LDADD = synth/libdalsynth.la

# dal lsp: the language server.
bin_PROGRAMS += tools/dal-lsp
tools_dal_lsp_SOURCES = synth/lsp/answers.c synth/lsp/answers.h synth/lsp/check.c synth/lsp/check.h synth/lsp/checked.c \
	synth/lsp/define.c synth/lsp/documents.c synth/lsp/documents.h synth/lsp/folder.c synth/lsp/folder.h synth/lsp/message.c \
	synth/lsp/message.h synth/lsp/ports.c synth/lsp/ports.h synth/lsp/scan.c synth/lsp/scan.h synth/lsp/server.c
tools_dal_lsp_LDADD = synth/libdalsynth.la
