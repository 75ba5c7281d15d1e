#!/usr/bin/env bash
# dal:gain.xml multiplies each sample by its factor, and by another one from the change of a live parameter on.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
find_numpy || skip "there is no python3 with numpy"

# gained TYPE FACTOR [OPTION...]: what ./gain writes is what NumPy computes
gained() {
    local type=$1 factor=$2
    shift 2
    "$python" -c "import numpy; numpy.save('x', numpy.random.default_rng(1).normal(size=1024).astype('$type'))"
    run 0 gain/gain --in=x.npy --out=y.npy "$@"
    "$python" -c "
import numpy
x, y = numpy.load('x.npy'), numpy.load('y.npy')
assert y.dtype == x.dtype and numpy.array_equal(y, x * x.dtype.type($factor)), y" || fail "$type times $factor"
}

part gain 'factor="0.1"'
gained float32 0.1
gained float32 -3 -p Part.Gain.factor=-3
part gain 'factor="-2.5e-3" block="64"'
gained float32 -2.5e-3
ports='in=double out=double' part gain 'type="double" factor="0.1" block="1024"'
gained float64 0.1

# As the flat network, which any dal reads.
"$dalsynth" --expand gain.xml >flat.xml
synthesise -o flat flat.xml
cp y.npy wanted.npy
run 0 flat/gain --in=x.npy --out=y.npy
cmp y.npy wanted.npy || fail "the flat network computes something else"

run 2 gain/gain --in=x.npy --out=y.npy -p Part.Gain.factor=much
expect 'parameter Part.Gain.factor=much: "much" is no double' messages
refuse_change '"oops" is no double' gain/gain Part.Gain.factor=oops --in=x.npy --out=y.npy
refuse_part "factor: 1e39 is too large" gain 'factor="1e39"' # it is infinite as a float
refuse_change '"1e39" is out of range' gain/gain Part.Gain.factor=1e39 --in=x.npy --out=y.npy
refuse_change '"1e400" is out of the range of double' gain/gain Part.Gain.factor=1e400 --in=x.npy --out=y.npy
refuse_part "'int' is none of its values: float double" gain 'type="int"'
refuse_part "'much' is no number" gain 'factor="much"'
refuse_part "block: 0 is too small: it must be at least 1" gain 'block="0"'
refuse_part "has no variable 'blocks'; did you mean 'block'?" gain 'blocks="2"'
