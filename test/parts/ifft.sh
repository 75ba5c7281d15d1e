#!/usr/bin/env bash
# dal:ifft.xml transforms frequencies back, as NumPy does.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

pkg-config --exists fftw3f || skip "FFTW for float is missing (libfftw3-dev)"
numpy "
write('x', rng.normal(size=3000).astype(float32))
write('f', fft.rfft(read('x').reshape(-1, 100)).astype(complex64).view(float32).ravel())
write('c', fft.fft(read('x').view(complex64).reshape(-1, 50)).astype(complex64).view(float32).ravel())"
part ifft 'size="100" block="3"'
run 0 ifft/ifft --in=f.npy --out=y.npy
numpy "near('y', read('x'), 1e-6)"
part ifft 'size="50" channels="2"'
run 0 ifft/ifft --in=c.npy --out=y.npy
numpy "near('y', read('x'), 1e-6)"
refuse_part "size: 0 is too small" ifft 'size="0"'
