#!/usr/bin/env bash
# dal:decimate.xml filters samples and keeps every so many.
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
    part decimate "by=\"$1\" taps=\"$2\" file=\"some\" channels=\"$3\" block=\"$4\""
    run 0 decimate/decimate --in=x.npy --out=y.npy
    numpy "
B, t = $1, read('t')[:$2]
columns = [convolve(x, t)[:x.size][::B] for x in read('x').astype(float64).reshape(-1, $3).T]
near('y', stack(columns, axis=1))"
}
filtered 4 23 1 60
filtered 3 23 2 20
filtered 5 3 1 8
filtered 1 23 1 100
filtered 8 16 2 10

# What is no finite number is in those outputs alone that a tap has it for.
part decimate 'by="2" taps="3" coefficients="1 2 3" block="4"'
numpy "
x = arange(1, 49, dtype=float32)
x[[3, 17, 30]] = nan, inf, -inf
write('odd', x)"
run 0 decimate/decimate --in=odd.npy --out=y.npy
numpy "
x, t = read('odd'), [1, 2, 3]
wanted = [sum((k * x[i - j] for j, k in enumerate(t) if i >= j), 0.0) for i in range(0, 48, 2)]
assert array_equal(read('y'), wanted, equal_nan=True), (read('y'), wanted)"
part decimate 'by="2" taps="3" coefficients="1 2"'
run 1 decimate/decimate --in=x.npy --out=y.npy
expect "process Part.Decimate: coefficients: there are 2 numbers, not 3" messages
refuse_part "by: 0 is too small" decimate 'by="0" taps="1" coefficients="1"'
