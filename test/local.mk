# Test suites; each area has its own part.
include test/base.mk
include test/runtime.mk
include test/spec.mk
include test/synth.mk
include test/mjpeg.mk
include test/figures.mk
