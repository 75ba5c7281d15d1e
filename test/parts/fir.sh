#!/usr/bin/env bash
# dal:fir.xml filters samples by taps from its attribute or from a file.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

numpy "
write('x', rng.normal(size=4096).astype(float32))
t = rng.normal(size=77)
open('taps', 'w').write('\n'.join(map(str, t)))
write('t', t)"

part fir 'taps="3" coefficients="0.25 0.5, -0.125" block="100"'
run 0 fir/fir --in=x.npy --out=y.npy
numpy "near('y', convolve(read('x'), [0.25, 0.5, -0.125])[:4000])"

part fir 'taps="77" file="taps" block="256"'
run 0 fir/fir --in=x.npy --out=y.npy
numpy "near('y', convolve(read('x').astype(float64), read('t'))[:4096])"

part fir 'taps="77" file="taps" channels="2" block="128"' # complex samples
run 0 fir/fir --in=x.npy --out=y.npy
numpy "
x = read('x').astype(float64)
y = convolve(x[::2] + 1j * x[1::2], read('t'))[:2048]
near('y', stack([y.real, y.imag], axis=1))"

part fir 'taps="1" coefficients="2" block="1"'
run 0 fir/fir --in=x.npy --out=y.npy
numpy "same('y', read('x') * float32(2))"

part fir 'taps="3" coefficients="1 2"'
run 1 fir/fir --in=x.npy --out=z.npy
expect "process Part.Fir: coefficients: there are 2 numbers, not 3" messages
[ ! -e z.npy ] || fail "an output of a run that failed"
run 1 fir/fir --in=x.npy --out=z.npy -p Part.Fir.file=none
expect "process Part.Fir: none: this file cannot be read" messages
echo "1 2 three" >words
run 1 fir/fir --in=x.npy --out=z.npy -p Part.Fir.file=words
expect "process Part.Fir: words: 'three' is no number" messages
run 1 fir/fir --in=x.npy --out=z.npy -p 'Part.Fir.coefficients=1 1e39 0'
expect "process Part.Fir: coefficients: '1e39' is too large for a float" messages
head -c 3 taps >part
run 1 fir/fir --in=x.npy --out=z.npy -p Part.Fir.file=part
expect "process Part.Fir: part: there are 1 numbers, not 3" messages
run 1 fir/fir --in=x.npy --out=z.npy -p Part.Fir.file="$PWD"
expect "this file cannot be read" messages
run 1 fir/fir --in=x.npy --out=z.npy -p Part.Fir.file=x.npy
expect "x.npy: this is no file of so many numbers" messages
refuse_part "its variable 'taps' needs a value here" fir 'coefficients="1"'
