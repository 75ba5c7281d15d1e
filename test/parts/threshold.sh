#!/usr/bin/env bash
# dal:threshold.xml compares samples with a level, and with another one from a change on.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

numpy "write('x', concatenate([rng.normal(size=98), [0.25, nan]]).astype(float32))"
ports='in=float out=uint8_t'
part threshold 'level="0.25" block="10"'
run 0 threshold/threshold --in=x.npy --out=y.npy
numpy "same('y', (read('x') >= 0.25).astype(uint8))"
run 0 threshold/threshold --in=x.npy --out=y.npy -p Part.Threshold.level=-1
numpy "same('y', (read('x') >= -1).astype(uint8))"
ports='in=uint8_t out=uint8_t' part threshold 'type="uint8_t" level="128" low="10" high="255" block="10"'
numpy "write('x', arange(250, dtype=uint8))"
run 0 threshold/threshold --in=x.npy --out=y.npy
numpy "same('y', where(read('x') >= 128, 255, 10).astype(uint8))"
ports='in=float out=uint8_t' refuse_part "high: 256 is too large" threshold 'level="0" high="256"'
