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
include test/output.mk
include test/release.mk
include test/calls.mk
include test/kpn.mk
include test/dal_style.mk
include test/ends.mk
include test/files.mk
include test/stall.mk
include test/soak.mk
include test/oclgrind.mk
include test/fallback.mk
include test/float.mk
include test/fanout.mk
include test/bench.mk
include test/determinism.mk

# Make has a rule of its own that makes X of X.sh, and in a release these folders would be scripts.
test/analyze test/calls test/dal_style test/figures test/kpn test/stall test/synth: ;
