#!/usr/bin/env bash
# dal:biquad.xml filters samples with the formulas of the cookbook, and with other numbers from a change on.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

cat >cookbook.py <<'END'
from math import cos, pi, sin, sqrt

# The coefficients as the transfer function has them: shelves and peak by their sides in z, the others by frequency.
def coefficients(kind, rate, frequency, q, gain):
    w = 2 * pi * frequency / rate
    alpha, c, A = sin(w) / (2 * q), cos(w), 10 ** (gain / 40)
    r = 2 * sqrt(A) * alpha
    plain = [1 + alpha, -2 * c, 1 - alpha]
    return {
        "lowpass": ([(1 - c) / 2, 1 - c, (1 - c) / 2], plain),
        "highpass": ([(1 + c) / 2, -(1 + c), (1 + c) / 2], plain),
        "bandpass": ([alpha, 0, -alpha], plain),
        "notch": ([1, -2 * c, 1], plain),
        "allpass": ([1 - alpha, -2 * c, 1 + alpha], plain),
        "peak": ([1 + alpha * A, -2 * c, 1 - alpha * A], [1 + alpha / A, -2 * c, 1 - alpha / A]),
        "lowshelf": ([A * ((A + 1) - (A - 1) * c + r), 2 * A * ((A - 1) - (A + 1) * c), A * ((A + 1) - (A - 1) * c - r)],
                     [(A + 1) + (A - 1) * c + r, -2 * ((A - 1) + (A + 1) * c), (A + 1) + (A - 1) * c - r]),
        "highshelf": ([A * ((A + 1) + (A - 1) * c + r), -2 * A * ((A - 1) + (A + 1) * c), A * ((A + 1) + (A - 1) * c - r)],
                      [(A + 1) - (A - 1) * c + r, 2 * ((A - 1) - (A + 1) * c), (A + 1) - (A - 1) * c - r]),
    }[kind]

def filtered(x, b, a):  # direct form I
    y = []
    for i in range(len(x)):
        y.append((sum(b[k] * x[i - k] for k in range(3) if i >= k) - sum(a[k] * y[i - k] for k in (1, 2) if i >= k)) / a[0])
    return y
END
numpy "write('x', rng.normal(size=512).astype(float32))"

# compare KIND FREQUENCY Q GAIN CHANNELS
compare() {
    numpy "
from cookbook import *
x = read('x').astype(float64).reshape(-1, $5)
near('y', stack([filtered(c, *coefficients('$1', 48000, $2, $3, $4)) for c in x.T], axis=1), 1e-6)"
}
export PYTHONPATH=$PWD
for kind in lowpass highpass bandpass notch allpass peak lowshelf highshelf; do
    part biquad "kind=\"$kind\" frequency=\"3000.5\" q=\"0.8\" gain=\"-6\" block=\"64\""
    run 0 biquad/biquad --in=x.npy --out=y.npy
    compare $kind 3000.5 0.8 -6 1
done
part biquad 'kind="peak" frequency="1000" gain="12" channels="2" block="32"'
run 0 biquad/biquad --in=x.npy --out=y.npy -p Part.Biquad.gain=3 -p Part.Biquad.q=2 -p Part.Biquad.frequency=500
compare peak 500 2 3 2

run 1 biquad/biquad --in=x.npy --out=y.npy -p Part.Biquad.frequency=24000
expect "process Part.Biquad: frequency 24000 Hz: it must be at least 0.0048 Hz and below half of 48000 Hz" messages
run 1 biquad/biquad --in=x.npy --out=y.npy -p Part.Biquad.frequency=0.004
expect "process Part.Biquad: frequency 0.004 Hz: it must be at least 0.0048 Hz" messages
for wrong in 'q=none:"none" is no double' 'q=0:"0" is out of range: it must be from 1e-3 to 1e4' \
    'gain=1e9:"1e9" is out of range: it must be from -120 to 120' 'frequency=nan:"nan" is no double'; do
    run 2 biquad/biquad --in=x.npy --out=y.npy -p "Part.Biquad.${wrong%%:*}"
    expect "parameter Part.Biquad.${wrong%%:*}: ${wrong#*:}" messages
    refuse_change "${wrong#*:}" biquad/biquad "Part.Biquad.${wrong%%:*}" --in=x.npy --out=y.npy
done

# A frequency that only the rate makes wrong changes nothing while it runs, but a later gain does.
run 0 biquad/biquad --in=x.npy --out=wanted.npy
printf '2 Part.Biquad.frequency=99999\n' >changes
DAL_REPLAY=changes run 0 biquad/biquad --in=x.npy --out=y.npy
cmp y.npy wanted.npy || fail "a frequency that is refused changes something"
expect "biquad: frequency 99999 Hz is not used: it must be at least 0.0048 Hz and below half of 48000 Hz" messages
[ "$(grep -c 'is not used' messages)" = 1 ] || fail "it tells more than once" messages
printf '2 Part.Biquad.frequency=99999\n4 Part.Biquad.gain=3\n' >changes
DAL_REPLAY=changes run 0 biquad/biquad --in=x.npy --out=y.npy
cmp -s y.npy wanted.npy && fail "a gain behind it changes nothing"

# In silence nothing is left, not even the sign of denormal numbers. What is no number is gone with its block.
numpy "
write('s', concatenate([-ones(100), zeros(29900), ones(100), zeros(29900)]).astype(float32))
x = ones(6400)
x[[200, 400]] = nan, inf
write('x', x.astype(float32))"
for kind in lowpass highpass bandpass notch allpass peak lowshelf highshelf; do
    part biquad "kind=\"$kind\" frequency=\"1000\" gain=\"-6\" block=\"20\""
    run 0 biquad/biquad --in=s.npy --out=y.npy
    numpy "
y = read('y').reshape(2, -1)[:, 20000:]
assert not y.any() and not signbit(y).any(), (y, signbit(y).sum())"
done
run 0 biquad/biquad --in=x.npy --out=y.npy
numpy "
y = read('y').reshape(-1, 20)
assert not isfinite(y[[10, 20], 0]).any() and isfinite(delete(y, [10, 20], axis=0)).all() and abs(y[-1] - 1).max() < 1e-3, y"
refuse_part "'comb' is none of its values" biquad 'kind="comb" frequency="1"'
refuse_part "its variable 'frequency' needs a value here" biquad 'kind="peak"'
