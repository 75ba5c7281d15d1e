#!/usr/bin/env bash
# dal:window.xml cuts samples into frames, and multiplies them by a window.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

numpy "write('x', rng.normal(size=1000).astype(float32))"

# windowed KIND SIZE STEP: as NumPy's symmetric window that is longer by one
windowed() {
    part window "kind=\"$1\" size=\"$2\" step=\"$3\""
    run 0 window/window --in=x.npy --out=y.npy
    numpy "
w = dict(hann=hanning, hamming=hamming, blackman=blackman, rectangle=ones)['$1']($2 + 1)[:$2]
x = concatenate([zeros($2 - $3), read('x')])
frames = numpy.lib.stride_tricks.sliding_window_view(x, $2)[::$3]
near('y', frames * w)"
}
windowed hann 100 50
windowed hamming 64 64
windowed blackman 50 20
windowed rectangle 10 1
part window 'kind="blackman" size="1"'
run 0 window/window --in=x.npy --out=y.npy
numpy "same('y', read('x'))"
refuse_part "step: 65 is too large: it must be at most 64" window 'size="64" step="65"'
refuse_part "'flat' is none of its values" window 'kind="flat"'
