#!/usr/bin/env bash
# dal:rgb_to_grey.xml makes pictures grey.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

numpy "write('x', concatenate([rng.integers(0, 256, (3, 72)), full((1, 72), 255)]).astype(uint8))"
ports='in=uint8_t[72] out=uint8_t[24]'
part rgb_to_grey 'width="6" height="4"'
run 0 rgb_to_grey/rgb_to_grey --in=x.npy --out=y.npy
numpy "
x, y = read('x').reshape(-1, 3), read('y').ravel()
assert abs(x @ [0.299, 0.587, 0.114] - y).max() < 0.501
assert (y[-24:] == 255).all()"
refuse_part "its variable 'height' needs a value here" rgb_to_grey 'width="6"'
