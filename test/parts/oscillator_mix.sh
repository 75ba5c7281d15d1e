#!/usr/bin/env bash
# dal:oscillator_mix.xml shifts samples in frequency, and goes on with its phase.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

numpy "write('x', rng.normal(size=20000).astype(float32))"

# shifted FREQUENCY CHANNELS BLOCK [OPTION...]
shifted() {
    local frequency=$1 channels=$2 block=$3
    shift 3
    part oscillator_mix "rate=\"1000\" frequency=\"0.5\" channels=\"$channels\" block=\"$block\""
    run 0 oscillator_mix/oscillator_mix --in=x.npy --out=y.npy -p Part.Oscillator.frequency="$frequency"
    numpy "
x = read('x') if $channels == 1 else read('x').view(complex64)
y = x * exp(2j * pi * ($frequency % 1000) * arange(x.size) / 1000)
near('y', y.astype(complex64).view(float32), 1e-6)"
}
shifted 123.456 2 100
shifted -77 1 1000
shifted 0 2 50
shifted 1e12 2 50
shifted -999999999750 1 100
run 2 oscillator_mix/oscillator_mix --in=x.npy --out=y.npy -p Part.Oscillator.frequency=high
expect 'parameter Part.Oscillator.frequency=high: "high" is no double' messages
refuse_part "rate: 0 is too small" oscillator_mix 'rate="0" frequency="1"'
