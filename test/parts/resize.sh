#!/usr/bin/env bash
# dal:resize.xml makes pictures of another size.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

# resized KIND WIDTH HEIGHT TOWIDTH TOHEIGHT CHANNELS: pixels are where their middles are
resized() {
    ports="in=uint8_t[$2*$3*$6] out=uint8_t[$4*$5*$6]" part resize \
        "kind=\"$1\" width=\"$2\" height=\"$3\" towidth=\"$4\" toheight=\"$5\" channels=\"$6\""
    numpy "write('x', rng.integers(0, 256, (2, $2 * $3 * $6)).astype(uint8))"
    run 0 resize/resize --in=x.npy --out=y.npy
    numpy "
def places(n, to):
    at = (arange(to) + 0.5) * n / to
    if '$1' == 'nearest':
        return floor(at).astype(int), floor(at).astype(int), zeros(to)
    at = clip(at - 0.5, 0, None)
    first = floor(at).astype(int)
    return first, minimum(first + 1, n - 1), at - first
x = read('x').astype(float64).reshape(2, $3, $2, $6)
a, b, w = places($3, $5)
x = x[:, a] * (1 - w)[None, :, None, None] + x[:, b] * w[None, :, None, None]
a, b, w = places($2, $4)
x = x[:, :, a] * (1 - w)[None, None, :, None] + x[:, :, b] * w[None, None, :, None]
worst = abs(x.ravel() - read('y').ravel()).max()
assert worst < 0.8, worst"
}
resized bilinear 8 6 13 11 1
resized bilinear 9 7 4 3 3
resized nearest 8 6 5 12 1
resized bilinear 5 5 5 5 1
numpy "same('y', read('x'))"
ports='in=uint8_t[4] out=uint8_t[4]' refuse_part "'cubic' is none of its values" resize \
    'width="2" height="2" towidth="2" toheight="2" kind="cubic"'
