#!/usr/bin/env bash
# dal:convolve3.xml makes each pixel a sum of the nine around it.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

numpy "write('x', rng.integers(0, 256, (3, 70)).astype(uint8))"

# convolved CHANNELS NUMBERS DIVISOR OFFSET: of pictures of 7 lines
convolved() {
    ports='in=uint8_t[70] out=uint8_t[70]' part convolve3 \
        "width=\"10 / $1\" height=\"7\" channels=\"$1\" numbers=\"1 0 0 0 0 0 0 0 0\" divisor=\"$3\" offset=\"$4\""
    run 0 convolve3/convolve3 --in=x.npy --out=y.npy -p "Part.Convolve.numbers=$2"
    numpy "
x = pad(read('x').astype(int).reshape(3, 7, -1, $1), ((0, 0), (1, 1), (1, 1), (0, 0)), 'edge')
k = array('$2'.split(), int).reshape(3, 3)
w = 10 // $1
y = sum(k[i, j] * x[:, i:i + 7, j:j + w] for i in range(3) for j in range(3))
y = trunc(y / $3 + copysign(0.5, y) * ($3 > 1)) + $4
same('y', y.clip(0, 255).astype(uint8))"
}
convolved 1 "1 2 1 2 4 2 1 2 1" 16 0
convolved 2 "0 -1 0 -1 5 -1 0 -1 0" 1 0
convolved 1 "-1 -2 -1 0 0 0 1 2 3" 4 128
run 1 convolve3/convolve3 --in=x.npy --out=y.npy -p "Part.Convolve.numbers=1 2 3"
expect "process Part.Convolve: numbers: there are 3 numbers, not 9" messages
run 1 convolve3/convolve3 --in=x.npy --out=y.npy -p "Part.Convolve.numbers=1 2 3 4 5.5 6 7 8 9"
expect "numbers: 5.5 is no integer from -100000 to 100000" messages
run 0 convolve3/convolve3 --in=x.npy --out=wanted.npy
for wrong in "1 2 3:there are 3 numbers, not 9" "0 0 0 0 1.5 0 0 0 0:1.5 is no integer from -100000 to 100000"; do
    echo "1 Part.Convolve.numbers=${wrong%%:*}" >changes
    DAL_REPLAY=changes run 0 convolve3/convolve3 --in=x.npy --out=y.npy
    expect "convolve3: numbers are not used: ${wrong#*:}" messages
    cmp y.npy wanted.npy || fail "numbers that are wrong change something"
done
ports='in=uint8_t[70] out=uint8_t[70]' refuse_part "divisor: 0 is too small" convolve3 \
    'width="10" height="7" numbers="1 2 3 4 5 6 7 8 9" divisor="0"'
