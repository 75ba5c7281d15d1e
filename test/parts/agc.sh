#!/usr/bin/env bash
# dal:agc.xml brings samples to a level.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

numpy "write('x', (0.1 * rng.normal(size=20000)).astype(float32))"

# controlled CHANNELS MOST LEVEL: step by step, as NumPy's numbers
controlled() {
    part agc "level=\"0.7\" speed=\"0.01\" most=\"$2\" channels=\"$1\" block=\"100\""
    run 0 agc/agc --in=x.npy --out=y.npy -p Part.Agc.level="$3"
    numpy "
x = read('x') if $1 == 1 else read('x').view(complex64)
gain, y = min(1.0, $2), []
for value in x:
    out = complex(value) * gain
    y.append(out)
    gain = min(max(gain + 0.01 * ($3 - abs(out)), 0), $2)
y = array(y)
near('y', y.real if $1 == 1 else y.astype(complex64).view(float32), 1e-6)"
}
controlled 1 1000 0.7
numpy "assert abs(abs(read('y')[-5000:]).mean() - 0.7) < 0.1" # it has come there
controlled 2 20 0.7
controlled 1 0.5 2
refuse_part "speed: 2 is too large" agc 'speed="2"'
