#!/usr/bin/env bash
# dal:split_channels.xml takes interleaved samples apart.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

numpy "write('x', arange(3 * 64, dtype=int16))"
ports='in=int16_t out_0=int16_t out_1=int16_t out_2=int16_t' part split_channels 'channels="3" type="int16_t" block="16"'
run 0 split_channels/split_channels --in=x.npy --out_0=y0.npy --out_1=y1.npy --out_2=y2.npy
numpy "for i in range(3): same(f'y{i}', read('x')[i::3])"
ports='in=int16_t out_0=int16_t' refuse_part "port 'out_1' of network 'Part' is not connected" split_channels 'type="int16_t"'
ports='in=float out_0=float' refuse_part "'complex' is none of its values" split_channels 'type="complex"'
