#!/usr/bin/env bash
# dal:interpolate.xml puts zeros between samples and filters them.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

numpy "
write('x', rng.normal(size=4800).astype(float32))
t = rng.normal(size=23)
open('taps', 'w').write(' '.join(map(str, t)))
write('t', t)"

# filtered BY TAPS CHANNELS BLOCK: as NumPy does it, sample by sample of a frame
filtered() {
    numpy "open('some', 'w').write(' '.join(map(str, read('t')[:$2])))"
    part interpolate "by=\"$1\" taps=\"$2\" file=\"some\" channels=\"$3\" block=\"$4\""
    run 0 interpolate/interpolate --in=x.npy --out=y.npy
    numpy "
B, t = $1, read('t')[:$2]
columns = [convolve(kron(x, eye(1, B)[0]), t)[:B * x.size] for x in read('x').astype(float64).reshape(-1, $3).T]
near('y', stack(columns, axis=1))"
}
filtered 4 23 1 60
filtered 3 23 2 20
filtered 5 3 1 8
filtered 1 23 1 100
filtered 8 16 2 10

# What is no finite number is in those outputs alone that a tap has it for.
part interpolate 'by="2" taps="3" coefficients="1 2 3" block="4"'
numpy "
x = arange(1, 49, dtype=float32)
x[[3, 17, 30]] = nan, inf, -inf
write('odd', x)"
run 0 interpolate/interpolate --in=odd.npy --out=y.npy
numpy "
x, t = read('odd'), [1, 2, 3]
wanted = [sum((k * x[(i - j) // 2] for j, k in enumerate(t) if i >= j and (i - j) % 2 == 0), 0.0) for i in range(96)]
assert array_equal(read('y'), wanted, equal_nan=True), (read('y'), wanted)"
part interpolate 'by="2" taps="3" coefficients="1 2"'
run 1 interpolate/interpolate --in=x.npy --out=y.npy
expect "process Part.Interpolate: coefficients: there are 2 numbers, not 3" messages
refuse_part "by: 0 is too small" interpolate 'by="0" taps="1" coefficients="1"'
