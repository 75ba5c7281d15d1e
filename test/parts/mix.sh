#!/usr/bin/env bash
# dal:mix.xml adds its inputs, each multiplied by its gain, and by another one from the change on.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

numpy "for i in range(2): write(f'in{i}', rng.normal(size=256).astype(float32))"
ports='in_0=float in_1=float out=float'
part mix 'gains="0.5 -2" block="64"'
run 0 mix/mix --in_0=in0.npy --in_1=in1.npy --out=y.npy
numpy "same('y', read('in0') * float32(0.5) + read('in1') * float32(-2))"
run 0 mix/mix --in_0=in0.npy --in_1=in1.npy --out=y.npy -p 'Part.Mix.gains=1e-1, 3'
numpy "same('y', read('in0') * float32(0.1) + read('in1') * float32(3))"

for wrong in "1:gains: there are 1 numbers, not 2" "1 2 3:gains: there are 3 numbers, not 2" "1 x:gains: 'x' is no number" \
    "1 2x:gains: '2x' is no number" "1 inf:gains: 'inf' is no number" "1 1e39:gains: '1e39' is too large for a float"; do
    run 1 mix/mix --in_0=in0.npy --in_1=in1.npy --out=y.npy -p "Part.Mix.gains=${wrong%%:*}"
    expect "process Part.Mix: ${wrong#*:}" messages
done
# Later, it changes nothing.
run 0 mix/mix --in_0=in0.npy --in_1=in1.npy --out=wanted.npy
echo "2 Part.Mix.gains=1 x" >changes
DAL_REPLAY=changes run 0 mix/mix --in_0=in0.npy --in_1=in1.npy --out=y.npy
expect "mix: gains are not used: 'x' is no number" messages
cmp y.npy wanted.npy || fail "gains that are wrong change something"
ports='in_0=double out=double' part mix 'inputs="1" gains="1e39" type="double" block="64"'
numpy "write('d', ones(64))"
run 0 mix/mix --in_0=d.npy --out=y.npy
numpy "same('y', full(64, 1e39))"
ports='in_0=float out=float' part mix 'inputs="1" gains="1" block="64"' # one gain may be any number, too
echo "2 Part.Mix.gains=0.5" >changes
DAL_REPLAY=changes run 0 mix/mix --in_0=in0.npy --out=y.npy
numpy "
x = read('in0')
x[128:] *= float32(0.5)
same('y', x)"
refuse_part "its variable 'gains' needs a value here" mix
