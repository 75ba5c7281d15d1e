#!/usr/bin/env bash
# dal:fft.xml transforms samples as NumPy does.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

pkg-config --exists fftw3f || skip "FFTW for float is missing (libfftw3-dev)"
numpy "write('x', rng.normal(size=3000).astype(float32))"
for size in 100 128 125; do
    part fft "size=\"$size\" block=\"2\""
    run 0 fft/fft --in=x.npy --out=y.npy
    numpy "
x = read('x')[:3000 // (2 * $size) * 2 * $size].reshape(-1, $size)
near('y', fft.rfft(x).astype(complex64).view(float32), 1e-6)"
done
part fft 'size="50" channels="2"'
run 0 fft/fft --in=x.npy --out=y.npy
numpy "near('y', fft.fft(read('x').view(complex64).reshape(-1, 50)).astype(complex64).view(float32), 1e-6)"
run 0 fft/fft --in=x.npy --out=z.npy
cmp y.npy z.npy || fail "two runs differ"
refuse_part "channels: 3 is too large" fft 'channels="3"'

network fft
PKG_CONFIG=false run 1 "$dalsynth" -o refused fft.xml
grep -q fftw3f messages || fail "nobody says what is missing" messages
