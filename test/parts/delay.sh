#!/usr/bin/env bash
# dal:delay.xml puts zeros in front of samples.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

numpy "write('x', rng.integers(-9, 9, 1000).astype(int32))"
ports='in=int32_t out=int32_t'
part delay 'type="int32_t" by="37" block="10"'
run 0 delay/delay --in=x.npy --out=y.npy
numpy "same('y', concatenate([zeros(37, int32), read('x')])[:1030])"
part delay 'type="int32_t" by="0" block="10"'
run 0 delay/delay --in=x.npy --out=y.npy
numpy "same('y', read('x'))"
refuse_part "by: -1 is too small" delay 'type="int32_t" by="-1"'
