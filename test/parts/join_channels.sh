#!/usr/bin/env bash
# dal:join_channels.xml interleaves samples.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

numpy "for i in range(2): write(f'x{i}', rng.normal(size=64))"
ports='in_0=double in_1=double out=double' part join_channels 'type="double" block="16"'
run 0 join_channels/join_channels --in_0=x0.npy --in_1=x1.npy --out=y.npy
numpy "same('y', stack([read('x0'), read('x1')], axis=1))"
ports='in_0=double in_1=double in_2=double out=double' part join_channels 'channels="3" type="double" block="1"'
run 0 join_channels/join_channels --in_0=x0.npy --in_1=x1.npy --in_2=x0.npy --out=y.npy
numpy "same('y', stack([read('x0'), read('x1'), read('x0')], axis=1))"
ports='in_0=double out=double' refuse_part "port 'in_1' of network 'Part' is not connected" join_channels 'type="double"'
