#!/usr/bin/env bash
# dal:yuv420_to_rgb.xml makes red, green and blue of I420.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

numpy "write('x', rng.integers(0, 256, (5, 36)).astype(uint8))"
ports='in=uint8_t[36] out=uint8_t[72]'
for matrix in bt601 bt709; do
    for range in limited full; do
        part yuv420_to_rgb "width=\"6\" height=\"4\" matrix=\"$matrix\" range=\"$range\""
        run 0 yuv420_to_rgb/yuv420_to_rgb --in=x.npy --out=y.npy
        numpy "
x = read('x').astype(float64)
y, u, v = x[:, :24].reshape(-1, 4, 6), x[:, 24:30].reshape(-1, 2, 3), x[:, 30:].reshape(-1, 2, 3)
u, v = (kron(plane, ones((2, 2))) - 128 for plane in (u, v))
red, blue = (0.299, 0.114) if '$matrix' == 'bt601' else (0.2126, 0.0722)
green = 1 - red - blue
y, u, v = ((y - 16) * 255 / 219, u * 255 / 224, v * 255 / 224) if '$range' == 'limited' else (y, u, v)
r, b = y + 2 * (1 - red) * v, y + 2 * (1 - blue) * u
g = (y - red * r - blue * b) / green
wanted = stack([r, g, b], axis=-1).clip(0, 255)
worst = abs(wanted.ravel() - read('y').ravel()).max()
assert worst < 0.52, worst"
    done
done
ports='in=uint8_t[18] out=uint8_t[36]'
part yuv420_to_rgb 'width="2" height="6"' # an even height alone is not enough
ports='in=uint8_t[31] out=uint8_t[63]'
network yuv420_to_rgb 'width="3" height="7"'
run 1 "$build/tools/dal" build -o odd yuv420_to_rgb.xml
grep -q 'width and height are to be even' messages output || fail "an odd width" messages
