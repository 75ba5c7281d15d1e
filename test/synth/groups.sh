#!/usr/bin/env bash
# Kernels in the shapes that people write, each launched as one with a copy of itself: as without groups.
exec bash "${DAL_SRCDIR:?}/test/synth/shapes.sh" groups
