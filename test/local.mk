# Test suites; each area has its own part.
include test/base.mk
include test/runtime.mk
include test/spec.mk
include test/synth.mk
include test/fsm.mk
include test/analyze.mk
include test/fuzz.mk
include test/mjpeg.mk
include test/figures.mk
include test/copies.mk
include test/kpn.mk
include test/dal_style.mk
include test/ends.mk
include test/oclgrind.mk
include test/fallback.mk
include test/bench.mk
include test/determinism.mk
