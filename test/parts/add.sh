#!/usr/bin/env bash
# dal:add.xml adds its inputs, from the first one on.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

numpy "for i in range(3): write(f'in{i}', rng.normal(size=256).astype(float32))"
ports='in_0=float in_1=float in_2=float out=float' part add 'inputs="3" block="64"'
run 0 add/add --in_0=in0.npy --in_1=in1.npy --in_2=in2.npy --out=y.npy
numpy "same('y', read('in0') + read('in1') + read('in2'))"

numpy "for i in range(2): write(f'in{i}', rng.normal(size=256))"
ports='in_0=double in_1=double out=double' part add 'type="double" block="128"'
run 0 add/add --in_0=in0.npy --in_1=in1.npy --out=y.npy
numpy "same('y', read('in0') + read('in1'))"

ports='in_0=float in_1=float in_2=float out=float' refuse_part "has no port 'in_2'" add 'inputs="2"'
ports='in_0=float in_1=float out=float' refuse_part "port 'in_2' of network 'Part' is not connected" add 'inputs="3"'
ports='in_0=float in_1=float out=float' refuse_part "inputs: 0 is too small" add 'inputs="0"'
