# Each test is a script or a suite in the folder of its subject, beside what it reads. test/ itself has what all share.
# Nothing of them is built before a test needs it: each suite for itself, and what a script runs by the list below.
EXTRA_PROGRAMS += $(SUITES) test/schedules/test_schedules test/determinism/random_network test/fuzz/mutate test/mjpeg/whole_frames test/nodes/slow_link \
	test/predict/random_work test/report/make_trace
SUITES = test/collectives/test_collectives test/analyze/test_csdf test/analyze/test_sdf test/analyze/test_sdf_kperiodic test/analyze/test_sdf_time test/backend/test_backend test/base/test_base test/channels/test_channels \
	test/channels/test_mapped test/channels/test_grow test/channels/test_newest test/channels/test_shape test/channels/test_transfers test/fsm/test_controller test/mjpeg/test_flow \
	test/network/test_cluster test/network/test_faults test/network/test_iterations test/network/test_network \
	test/network/test_claim test/network/test_launcher test/network/test_policy test/network/test_share test/network/test_look test/network/test_throttle test/network/test_time test/network/test_verdict test/network/test_watch test/newest/test_drawn test/nodes/test_flow test/nodes/test_nodes test/nodes/test_global_snapshot test/ocl/test_cache test/ocl/test_ocl test/predict/test_curve test/predict/test_simulate test/predict/test_spread test/run/test_run test/run/test_run_faults test/run/test_run_files test/run/test_run_within \
	test/search/test_moves test/search/test_promise test/search/test_rank test/search/test_search \
	test/cuda/test_cuda test/cuda/test_standin test/short/test_short test/spec/test_spec test/synth/test_plan test/synth/test_synth test/tools/test_measure test/tools/test_thesis
# The longest scripts first: none of them is left alone at the end.
dist_check_SCRIPTS = test/determinism/determinism.sh test/collectives/collectives.sh test/tools/bench.sh \
	test/features/features.sh test/synth/groups.sh test/style.sh test/counted/counted.sh test/photon/photon.sh \
	test/search/dalmap.sh test/search/groups.sh test/search/ports.sh test/search/runs.sh test/search/tune.sh test/install/install.sh test/synth/shapes.sh test/soak/soak.sh test/determinism/tapped.sh test/spec/again.sh \
	test/phases/phases.sh test/fallback/fallback.sh test/models/models.sh test/manual/manual.sh test/taps/taps.sh \
	test/editors/lsp.sh test/editors/editors.sh test/channels/readers.sh test/channels/inplace.sh test/cuda/peers.sh \
	test/mjpeg/mjpeg.sh test/nodes/nodes.sh test/synth/synth.sh test/analyze/analyze.sh test/analyze/sizes.sh \
	test/backend/orders.sh test/calls/calls.sh test/channels/apart.sh test/cuda/calls.sh test/constants/constants.sh \
	test/copies/copies.sh test/cxx/cxx.sh test/cxx/flags.sh test/cxx/leave.sh test/dal_style/dal_style.sh test/dol/dol.sh \
	test/editors/formats.sh test/ends/ends.sh test/ends/last.sh test/ends/output.sh test/ends/pipes.sh test/ends/ports.sh \
	test/figures/figures.sh test/float/float.sh test/cuda/programs.sh test/cuda/sources.sh test/groups/groups.sh \
	test/groups/portable.sh test/groups/random.sh test/groups/registers.sh test/guard/crash.sh test/guard/guard.sh test/guard/kernels.sh test/fsm/fsm.sh test/fuzz/files.sh test/fuzz/fuzz.sh test/fuzz/sources.sh test/hostile/files.sh \
	test/hostile/stack.sh test/hostile/state.sh test/hostile/sweep.sh test/kpn/kpn.sh test/live/hostile.sh test/live/live.sh \
	test/live/page.sh test/live/progress.sh test/newest/newest.sh test/newest/device.sh test/nodes/apps.sh test/nodes/fsm.sh test/nodes/slow.sh test/openmp/openmp.sh \
	test/order/order.sh test/ocl/oclgrind.sh test/ocl/sanitizer.sh test/predict/advice.sh test/predict/measured.sh \
	test/predict/predict.sh test/predict/promise.sh test/python/notebook.sh test/python/process.sh test/python/python.sh \
	test/run/abi.sh test/run/embed.sh test/edges/edges.sh test/fm/fm.sh test/radio/radio.sh test/rds/rds.sh test/report/trace.sh \
	test/report/transfers.sh test/short/new.sh test/short/short.sh test/spec/files.sh test/spec/growth.sh \
	test/stall/stall.sh test/stats/drift.sh test/stats/stats.sh test/synth/cores.sh test/synth/links.sh test/synth/made.sh test/synth/names.sh \
	test/synth/parameters.sh test/synth/parts.sh test/synth/part_mapping.sh test/synth/part_paths.sh test/synth/flat.sh test/synth/sources.sh \
	test/synth/stateless.sh test/times/times.sh test/times/realtime.sh test/manual/sources.sh test/tools/dalinfo.sh test/tools/measure.sh \
	test/tools/release.sh test/install/newcomer.sh test/install/pages.sh test/view/page.sh test/view/planted.sh \
	test/view/report.sh test/verbs/verbs.sh test/view/run.sh test/view/trace.sh test/view/view.sh
include test/parts/local.mk
TESTS += $(SUITES) $(dist_check_SCRIPTS)
EXTRA_DIST += test/install/verbs.py test/order/order.py test/order/exceptions.py test/order/input test/chroot.sh test/driver test/determinism/count.py test/determinism/plant.py test/determinism/ports.sh test/lib.sh test/prose.sh test/lsan.supp test/tsan.supp test/valgrind.supp \
	test/analyze/input test/calls/input test/collectives/input test/constants/input test/constants/tables.py test/copies/input test/counted/input test/cxx/input test/dal_style/input test/determinism/input test/dol/input test/editors/client.py test/editors/emacs.el test/editors/formats.py test/editors/lsp.py test/editors/neovim.lua test/ends/input \
	test/fallback/input test/features/input test/figures/input test/float/input test/fsm/input test/fuzz/fuzz_files.c test/fuzz/fuzz_spec.c test/fuzz/fuzzer.sh test/guard/input test/hostile/fail_nth.c test/hostile/input test/kpn/input test/live/change.py test/live/clients.py test/live/hostile.py test/live/input test/live/page.js test/newest/input test/manual/input test/nodes/input test/openmp/input test/phases/input test/python/input test/python/processes test/python/test_dal.py test/report/input test/spec/bad test/spec/code test/spec/good test/stall/input test/taps/input test/times/input test/short/input \
	test/synth/bad test/synth/golden test/synth/input test/verbs/input test/view/input test/view/browser.js test/view/page.js test/view/picture.py test/view/plant.py test/view/report.js

# What scripts run beside the programs that are installed, and suites load. The logs are what make makes of tests.
test/channels/apart.log: test/channels/test_channels$(EXEEXT)
test/collectives/collectives.log: test/collectives/test_collectives$(EXEEXT)
test/determinism/determinism.log test/determinism/tapped.log test/soak/soak.log test/spec/again.log: test/determinism/random_network$(EXEEXT)
test/fuzz/fuzz.log test/fuzz/sources.log: test/fuzz/mutate$(EXEEXT)
test/nodes/slow.log test/view/planted.log: test/nodes/slow_link$(EXEEXT)
test/predict/predict.log: test/predict/random_work$(EXEEXT) # bench/drawn.sh runs it
test/report/trace.log: test/report/make_trace$(EXEEXT)
test/soak/soak.log: test/mjpeg/whole_frames$(EXEEXT)
test/backend/orders.log: test/backend/test_backend$(EXEEXT)
test/run/abi.log: test/run/test_run_within$(EXEEXT)
STANDIN = test/cuda/standin/libstandin_cuda.la test/cuda/standin/libstandin_nvrtc.la
test/backend/orders.log test/backend/test_backend.log test/channels/inplace.log test/constants/constants.log test/cuda/calls.log test/cuda/peers.log \
	test/cuda/programs.log test/cuda/test_cuda.log test/cuda/test_standin.log test/determinism/determinism.log \
	test/features/features.log test/groups/portable.log test/groups/registers.log test/guard/kernels.log test/newest/device.log test/photon/photon.log test/report/transfers.log: $(STANDIN)
# What test/models/models.sh searches, beside the code.
EXTRA_DIST += channels/grow.pml channels/newest.pml rt/base/memory.pml rt/base/sleep.pml rt/base/wake.pml rt/base/wake_file.pml rt/control/control.pml \
	rt/device/handler.pml rt/host/claim.pml rt/host/park.pml rt/host/pool.pml rt/watch/look.pml rt/nodes/flow.pml rt/nodes/global_snapshot.pml

# No driver is made for ThreadSanitizer, so these run without any but the stand-in for CUDA: see check-thread. The longest
# first, here as well.
THREAD_TESTS += test/nodes/test_nodes test/network/test_cluster test/base/test_base test/channels/test_channels \
	test/channels/test_grow test/channels/test_newest test/newest/test_drawn test/cuda/test_cuda test/cuda/test_standin test/fsm/test_controller test/network/test_claim test/network/test_network test/network/test_time test/run/test_run test/run/test_run_faults test/run/test_run_files test/run/test_run_within \
	test/calls/calls.sh test/fsm/fsm.sh test/kpn/kpn.sh test/live/hostile.sh test/live/live.sh test/live/progress.sh test/stats/drift.sh test/stats/stats.sh test/times/times.sh
check-thread: tools/dalinfo$(EXEEXT) test/cuda/standin/libstandin_cuda.la test/cuda/standin/libstandin_nvrtc.la

# What AddressSanitizer would see nothing new in, by reasons; check-address leaves it out.
# Texts, pages in a browser, figures of speed and what is installed: little of our C runs, and it runs elsewhere, too.
PLAIN_TESTS += test/style.sh test/editors/editors.sh test/order/order.sh test/manual/manual.sh test/manual/sources.sh test/install/install.sh test/install/newcomer.sh test/install/pages.sh test/tools/bench.sh \
	test/tools/release.sh test/run/abi.sh test/live/page.sh test/view/page.sh test/view/planted.sh test/view/report.sh test/analyze/sizes.sh
# An interpreter would have to be made with sanitizers, too.
PLAIN_TESTS += test/python/notebook.sh test/python/process.sh test/python/python.sh
# It builds what it tests with sanitizers of its own, or without any; its process divides by zero to raise an exception.
PLAIN_TESTS += test/fuzz/files.sh test/fuzz/fuzz.sh test/models/models.sh test/hostile/state.sh
# Flags of several compilers: a sanitizer's library is that of one.
PLAIN_TESTS += test/cxx/flags.sh
# About kernels and their bytes: a driver compiles and runs them, without sanitizers, and two of these are simulators
# already. What calls the driver is seen in test_backend, test_channels, test_faults, test_ocl and determinism.sh.
PLAIN_TESTS += test/collectives/test_collectives test/collectives/collectives.sh test/float/float.sh test/ocl/oclgrind.sh \
	test/synth/groups.sh test/groups/random.sh test/mjpeg/test_flow test/cuda/peers.sh test/cuda/programs.sh
# Many mappings of one network, or of nodes: ends of channels, groups and copies of links are those of test_channels, test_mapped,
# test_nodes, groups.sh and determinism.sh; nodes.sh has the transport.
PLAIN_TESTS += test/channels/apart.sh test/channels/readers.sh test/mjpeg/mjpeg.sh test/nodes/apps.sh test/nodes/fsm.sh test/features/features.sh \
	test/determinism/tapped.sh
# Applications on many mappings, and files that dalsynth writes and reads again, which test_short and test_spec do as well.
PLAIN_TESTS += test/edges/edges.sh test/fm/fm.sh test/photon/photon.sh test/radio/radio.sh test/rds/rds.sh test/spec/again.sh
# Long, so that something may grow or stall, or many names for make and a shell to get wrong.
PLAIN_TESTS += test/soak/soak.sh test/nodes/slow.sh test/stall/stall.sh test/synth/names.sh

VALGRIND_TESTS += test/nodes/test_nodes test/network/test_time test/network/test_cluster test/base/test_base \
	test/channels/test_channels test/channels/test_shape test/fsm/test_controller test/network/test_claim \
	test/network/test_network test/nodes/test_global_snapshot test/run/test_run test/run/test_run_files test/run/test_run_within

# What a suite is linked with.
AM_CPPFLAGS += $(CUNIT_CFLAGS)
CUNIT_RT = rt/libdalrt.la $(CUNIT_LIBS) $(OPENCL_LIBS)
CUNIT_OCL = rt/devices/libdaldevices.la rt/base/libdalbase.la $(CUNIT_LIBS) $(OPENCL_LIBS) $(HWLOC_LIBS)
CUNIT_SPEC = spec/libdalspec.la $(CUNIT_LIBS)
test_analyze_test_csdf_LDADD = $(CUNIT_SPEC)
test_analyze_test_sdf_LDADD = $(CUNIT_SPEC)
test_analyze_test_sdf_kperiodic_LDADD = $(CUNIT_SPEC)
test_analyze_test_sdf_time_LDADD = $(CUNIT_SPEC)
test_base_test_base_LDADD = rt/base/libdalbase.la $(CUNIT_LIBS) $(HWLOC_LIBS)
test_channels_test_channels_LDADD = $(CUNIT_RT)
test_channels_test_mapped_SOURCES = test/channels/test_channels.c test/channels/copying_maps.c
test_channels_test_mapped_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS) -DCOPYING_MAPS
test_channels_test_mapped_LDADD = $(CUNIT_RT)
test_channels_test_grow_LDADD = $(CUNIT_RT)
test_channels_test_newest_LDADD = $(CUNIT_RT)
test_channels_test_shape_LDADD = $(CUNIT_RT)
test_channels_test_transfers_SOURCES = test/channels/test_transfers.c test/idle.c
test_channels_test_transfers_LDADD = $(CUNIT_RT)
test_collectives_test_collectives_CFLAGS = $(AM_CFLAGS) -O1 -ffp-contract=off
test_collectives_test_collectives_LDADD = $(CUNIT_OCL) -lm
test_fsm_test_controller_LDADD = $(CUNIT_RT)
test_mjpeg_test_flow_LDADD = $(CUNIT_OCL) -lm
test_network_test_cluster_LDADD = $(CUNIT_RT)
test_network_test_faults_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
test_network_test_faults_LDADD = $(CUNIT_RT)
test_network_test_iterations_SOURCES = test/network/test_iterations.c test/network/iterations_graph.c
test_network_test_iterations_LDADD = $(CUNIT_RT) spec/libdalspec.la
test_network_test_network_LDADD = $(CUNIT_RT)
test_network_test_claim_LDADD = $(CUNIT_RT)
test_network_test_launcher_SOURCES = test/network/test_launcher.c test/idle.c
test_network_test_launcher_LDADD = $(CUNIT_RT)
test_network_test_policy_LDADD = $(CUNIT_RT)
test_network_test_share_LDADD = $(CUNIT_RT)
test_network_test_throttle_LDADD = $(CUNIT_RT) -lm
test_network_test_look_LDADD = $(CUNIT_RT)
test_network_test_time_LDADD = $(CUNIT_RT)
test_newest_test_drawn_SOURCES = test/newest/test_drawn.c test/determinism/random_graph.c test/determinism/random_graph.h
test_newest_test_drawn_LDADD = $(CUNIT_RT)
test_network_test_verdict_LDADD = rt/base/libdalbase.la $(CUNIT_LIBS) $(HWLOC_LIBS)
test_network_test_watch_LDADD = $(CUNIT_RT)
test_nodes_test_flow_LDADD = $(CUNIT_RT)
test_nodes_test_nodes_SOURCES = test/nodes/test_nodes.c test/nodes/threads.c test/nodes/threads.h
test_nodes_test_nodes_LDADD = $(CUNIT_RT)
test_nodes_test_global_snapshot_LDADD = $(CUNIT_RT)
test_ocl_test_cache_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
test_ocl_test_cache_LDADD = $(CUNIT_OCL)
test_ocl_test_ocl_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
test_ocl_test_ocl_LDADD = $(CUNIT_OCL)
test_predict_random_work_SOURCES = test/predict/random_work.c test/determinism/random_graph.c
test_predict_test_curve_LDADD = synth/libdalsynth.la $(CUNIT_LIBS) -lm
test_predict_test_simulate_LDADD = synth/libdalsynth.la $(CUNIT_LIBS) -lm
test_predict_test_spread_LDADD = synth/libdalsynth.la $(CUNIT_LIBS) -lm
test_report_make_trace_LDADD = rt/libdalrt.la $(OPENCL_LIBS)
test_run_test_run_LDADD = $(CUNIT_RT)
test_run_test_run_files_LDADD = $(CUNIT_RT)
test_run_test_run_within_LDADD = $(CUNIT_RT)
test_run_test_run_CPPFLAGS = $(AM_CPPFLAGS) $(SCHEDULE_FLAGS)
test_run_test_run_faults_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS)
test_run_test_run_faults_LDADD = $(CUNIT_RT)
test_run_test_run_faults_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pthread_create
test_search_test_moves_SOURCES = test/search/test_moves.c test/search/random_files.c test/search/random_files.h
test_search_test_moves_LDADD = synth/libdalsynth.la $(CUNIT_LIBS) -lm
test_search_test_promise_SOURCES = test/search/test_promise.c test/search/random_files.c test/search/random_files.h
test_search_test_promise_LDADD = synth/libdalsynth.la $(CUNIT_LIBS) -lm
test_search_test_rank_SOURCES = test/search/test_rank.c
test_search_test_rank_LDADD = synth/libdalsynth.la $(CUNIT_LIBS) -lm
test_search_test_search_SOURCES = test/search/test_search.c test/search/random_files.c test/search/random_files.h
test_search_test_search_LDADD = synth/libdalsynth.la $(CUNIT_LIBS) -lm
test_short_test_short_LDADD = $(CUNIT_SPEC)
test_spec_test_spec_LDADD = $(CUNIT_SPEC)
test_tools_test_measure_SOURCES = test/tools/test_measure.c tools/info/dalinfo_measure.c
test_tools_test_measure_LDADD = $(CUNIT_OCL)
test_tools_test_thesis_SOURCES = test/tools/test_thesis.c bench/dalbench_rules.c
test_tools_test_thesis_LDADD = $(CUNIT_LIBS) -lm
test_synth_test_plan_LDADD = synth/libdalsynth.la $(CUNIT_LIBS)
test_synth_test_synth_LDADD = synth/libdalsynth.la $(CUNIT_LIBS)
test_determinism_random_network_SOURCES = test/determinism/random_network.c test/determinism/random_draw.c \
	test/determinism/random_sources.c test/determinism/random_graph.c test/determinism/random_parts.c \
	test/determinism/random_variant.c test/determinism/random_xml.c test/determinism/random_mapping.c \
	test/determinism/random_lists.c test/determinism/random_open.c test/determinism/random_count.c \
	test/determinism/random_words.c test/determinism/random_word_sources.c
noinst_HEADERS += test/capture.h test/device.h test/idle.h test/left.h test/suite.h test/run/adding.h test/analyze/sdf_build.h test/analyze/sdf_sample.h test/predict/sim_model.h \
	test/determinism/random_graph.h test/determinism/random_parts.h test/determinism/random_plan.h \
	test/determinism/random_open.h test/determinism/random_variant.h test/determinism/random_words.h test/network/iterations.h

# The stand-in for CUDA: modules, which libtool builds shared only with a folder to be installed in. Nobody installs them.
EXTRA_LTLIBRARIES += test/cuda/standin/libstandin_cuda.la test/cuda/standin/libstandin_nvrtc.la
STANDIN_LDFLAGS = -module -avoid-version -shared -rpath /nowhere
test_cuda_standin_libstandin_cuda_la_SOURCES = test/cuda/standin/block.c test/cuda/standin/common.c test/cuda/standin/device.c \
	test/cuda/standin/graph.c test/cuda/standin/image.h test/cuda/standin/item.h test/cuda/standin/memory.c test/cuda/standin/module.c \
	test/cuda/standin/objects.c test/cuda/standin/standin.h test/cuda/standin/stream.c
test_cuda_standin_libstandin_cuda_la_LDFLAGS = $(STANDIN_LDFLAGS)
test_cuda_standin_libstandin_cuda_la_LIBADD = $(PTHREAD_LIBS) -ldl
test_cuda_standin_libstandin_nvrtc_la_SOURCES = test/cuda/standin/compiler.c test/cuda/standin/image.h
test_cuda_standin_libstandin_nvrtc_la_CPPFLAGS = $(AM_CPPFLAGS) -DSTANDIN_FOLDER='"$(abs_top_srcdir)/test/cuda/standin"'
test_cuda_standin_libstandin_nvrtc_la_LDFLAGS = $(STANDIN_LDFLAGS)
EXTRA_DIST += test/cuda/standin/cuda_builtins.h
test_cuda_test_cuda_LDADD = $(CUNIT_OCL)
test_cuda_test_standin_LDADD = $(CUNIT_LIBS) -ldl
test_backend_test_backend_SOURCES = test/backend/bench.c test/backend/bench.h test/backend/devices.c test/backend/faults.c \
	test/backend/kernels.c test/backend/limits.c test/backend/math.c test/backend/memory.c test/backend/pairs.c test/backend/queues.c \
	test/backend/test_backend.c
test_backend_test_backend_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
test_backend_test_backend_LDADD = rt/libdalrt.la $(CUNIT_LIBS) $(OPENCL_LIBS) -ldl -lm

# Under the scheduler of rt/base/schedule.h, in a build with --enable-schedules; it is quick to build.
EXTRA_DIST += test/schedules/schedules.sh test/schedules/mutants.py test/schedules/mutants.txt test/schedules/mutants_equal.txt
test_network_test_network_CPPFLAGS = $(AM_CPPFLAGS) $(SCHEDULE_FLAGS)
test_nodes_test_nodes_CPPFLAGS = $(AM_CPPFLAGS) $(SCHEDULE_FLAGS)
check-schedules: test/schedules/test_schedules$(EXEEXT) test/network/test_network$(EXEEXT) test/nodes/test_nodes$(EXEEXT) test/run/test_run$(EXEEXT)
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS=test/schedules/schedules.sh
.PHONY: check-schedules
# The scheduler under control: it is not compiled as what it schedules.
if SCHEDULES
noinst_LTLIBRARIES += test/schedules/libdalschedule.la
endif
test_schedules_libdalschedule_la_SOURCES = \
	rt/base/schedule.h \
	test/schedules/scheduler/schedule.c \
	test/schedules/scheduler/schedule_memory.c \
	test/schedules/scheduler/schedule_own.h \
	test/schedules/scheduler/schedule_report.c
test_schedules_libdalschedule_la_CPPFLAGS = $(AM_CPPFLAGS)
test_schedules_test_schedules_SOURCES = test/schedules/test_schedules.c test/schedules/protocols.c test/schedules/protocols_more.c test/schedules/newest.c test/schedules/networks.c \
	test/schedules/protocols.h test/schedules/broken.c test/schedules/random.c test/schedules/random.h \
	test/schedules/run.c test/schedules/flows.c test/schedules/watchers.c \
	test/schedules/device.c test/schedules/device.h test/schedules/schedules.h \
	test/determinism/random_graph.c test/nodes/threads.c test/nodes/threads.h
test_schedules_test_schedules_CPPFLAGS = $(AM_CPPFLAGS) $(SCHEDULE_FLAGS)
test_schedules_test_schedules_LDADD = $(CUNIT_RT)
