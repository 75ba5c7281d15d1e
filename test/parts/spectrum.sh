#!/usr/bin/env bash
# dal:spectrum.xml tells how strong each frequency is.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

pkg-config --exists fftw3f || skip "FFTW for float is missing (libfftw3-dev)"
numpy "write('x', (0.5 * sin(2 * pi * 8 * arange(1000) / 64) + 0.001 * rng.normal(size=1000) + 0.25).astype(float32))"
ports='in=float out=float[33]'

# measured KIND STEP MEASURE EXPRESSION [BOUND]: of the amplitudes a
measured() {
    part spectrum "kind=\"$1\" size=\"64\" step=\"$2\" measure=\"$3\""
    run 0 spectrum/spectrum --in=x.npy --out=y.npy
    numpy "
w = dict(hann=hanning, hamming=hamming, blackman=blackman, rectangle=ones)['$1'](65)[:64]
x = concatenate([zeros(64 - $2), read('x')])
a = abs(fft.rfft(numpy.lib.stride_tricks.sliding_window_view(x, 64)[::$2] * w)) / w.sum()
a[:, 1:32] *= 2
near('y', $4, ${5:-1e-5})"
}
measured hann 32 amplitude a
measured blackman 64 power 'a**2'
measured hamming 64 decibel '20 * log10(a)' 1e-3
measured rectangle 64 amplitude a
numpy "assert abs(read('y')[3, 8] - 0.5) < 0.01, read('y')[3]" # the tone
ports='in=float out=float[2]' part spectrum 'kind="blackman" size="2"' # which leaves one of the two samples
run 0 spectrum/spectrum --in=x.npy --out=y.npy
numpy "near('y', repeat(abs(read('x')[1::2]), 2))"
numpy "write('x', zeros(640, float32))"
part spectrum 'size="64" measure="decibel"'
run 0 spectrum/spectrum --in=x.npy --out=y.npy
numpy "same('y', full(330, -200, float32))"
numpy "write('x', where(arange(192) == 70, nan, 1).astype(float32))"
for measure in amplitude power decibel; do # what is no number is no silence
    part spectrum "size=\"64\" measure=\"$measure\""
    run 0 spectrum/spectrum --in=x.npy --out=y.npy
    numpy "assert array_equal(isnan(read('y').reshape(3, 33)).all(axis=1), [0, 1, 0]), read('y')"
done
refuse_part "'loud' is none of its values" spectrum 'measure="loud"'
