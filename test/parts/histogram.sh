#!/usr/bin/env bash
# dal:histogram.xml counts samples as NumPy does.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

numpy "write('x', concatenate([rng.normal(size=995), [-2, 2, nan, inf, -inf]]).astype(float32))"
ports='in=float out=uint32_t[16]'
part histogram 'samples="500" bins="16" least="-2" most="2"'
run 0 histogram/histogram --in=x.npy --out=y.npy
numpy "same('y', array([histogram(x, 16, (-2, 2))[0] for x in read('x').reshape(2, -1)], uint32))"
ports='in=uint8_t out=uint32_t[256]' part histogram 'type="uint8_t" samples="1000" least="0" most="256"'
numpy "write('x', rng.integers(0, 256, 3000).astype(uint8))"
run 0 histogram/histogram --in=x.npy --out=y.npy
numpy "same('y', array([bincount(x, minlength=256) for x in read('x').reshape(3, -1)], uint32))"
ports='in=int16_t out=uint32_t[10]' part histogram 'type="int16_t" samples="10" bins="10" least="0" most="490"'
numpy "write('x', arange(0, 490, 49).astype(int16))" # where each range begins
run 0 histogram/histogram --in=x.npy --out=y.npy
numpy "same('y', ones(10, uint32))"
ports='in=double out=uint32_t[49]' part histogram 'type="double" samples="200" bins="49" least="-0.3" most="0.7"'
numpy "e = linspace(-0.3, 0.7, 50)
write('x', concatenate([e, nextafter(e, -1), nextafter(e, 1), -e]))"
run 0 histogram/histogram --in=x.npy --out=y.npy
numpy "same('y', histogram(read('x'), 49, (-0.3, 0.7))[0].astype(uint32))"
ports='in=float out=uint32_t[16]' refuse_part "most: -3 is too small: it must be at least least" histogram \
    'samples="500" bins="16" least="-2" most="-3"'
ports='in=float out=uint32_t[16]' part histogram 'samples="500" bins="16" least="2" most="2"'
run 1 histogram/histogram --in=/dev/zero --out=y.npy
expect "the variable most is not above least" messages
for wrong in "float:0:1e-310:near to" "double:0:5e-324:near to" "double:-1.7e308:1.7e308:far from"; do
    IFS=: read -r type least most what <<<"$wrong"
    ports="in=$type out=uint32_t[4]" part histogram "type=\"$type\" samples=\"4\" bins=\"4\" least=\"$least\" most=\"$most\""
    numpy "write('x', array([0, 5e-324, 1e307, -1e307]).astype(float32 if '$type' == 'float' else float64))"
    run 1 histogram/histogram --in=x.npy --out=y.npy
    expect "the variables least and most are too $what each other" messages
done
