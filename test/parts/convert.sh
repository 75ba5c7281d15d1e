#!/usr/bin/env bash
# dal:convert.xml converts samples, rounds them and limits them.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/numpy.sh"

declare -A kinds=([float]=float32 [double]=float64 [uint8_t]=uint8 [int16_t]=int16 [int32_t]=int32)

# converted FROM TO SCALE SAMPLES: as NumPy computes it in double
converted() {
    ports="in=$1 out=$2" part convert "from=\"$1\" to=\"$2\" scale=\"$3\" block=\"4\""
    numpy "write('x', array($4).astype('${kinds[$1]}'))"
    run 0 convert/convert --in=x.npy --out=y.npy
    numpy "
full = {'uint8': 128, 'int16': 2.0**15, 'int32': 2.0**31} if '$3' == 'full' else {}
zero = {'uint8': 128} if '$3' == 'full' else {}
x = read('x')
to = dtype('${kinds[$2]}')
y = (x.astype(float64) - zero.get(x.dtype.name, 0)) * (full.get(to.name, 1) / full.get(x.dtype.name, 1)) + zero.get(to.name, 0)
if to.kind != 'f':
    whole = floor(abs(y))
    y = copysign(whole + (abs(y) - whole >= 0.5), y).clip(iinfo(to).min, iinfo(to).max)
same('y', y.astype(to))"
}
sound='[0, 1, -1, 0.5, -0.25, 1.5, -3, 1e-5, 1.5 / 32768, -1.5 / 32768, 1e30, -1e30]'
converted float int16_t full "$sound"
converted float int32_t full "$sound"
converted double uint8_t full "$sound"
converted int16_t float full '[0, 1, -1, 32767, -32768, 100, -100, 7]'
converted int32_t double full '[0, 1, -1, 2147483647, -2147483648, 100, -100, 7]'
converted uint8_t int16_t full '[0, 1, 127, 128, 129, 254, 255, 7]'
converted int32_t int16_t full '[0, 32768, -32768, 2147483647, -2147483648, 32767, 40000000, 7]'
converted float uint8_t none '[0, 0.4, 0.5, 254.5, 300, -1, 127.6, 3]'
converted double int32_t none '[0.49999999999999994, -0.49999999999999994, 0.5, -0.5, 1.4999999999999998, -2.5, 2147483646.5, -1e300]'
converted double uint8_t none '[0.49999999999999994, 0.5, 1.5, 2.4999999999999996, 254.5, 255.5, -0.5, 1e300]'
converted int32_t int16_t none '[0, 32768, -32769, 2147483647, 5, 32767, 40000000, 7]'
converted float double none '[-0.0, 0, -1, 1e-45, 3e38, 1, 2, 3]'
numpy "assert list(signbit(read('y')[:3])) == [True, False, True]"

ports='in=float out=int16_t' part convert 'from="float" to="int16_t" block="2"'
numpy "write('x', array([nan, -inf, inf, 0], float32))"
run 0 convert/convert --in=x.npy --out=y.npy
numpy "same('y', array([-32768, -32768, 32767, 0], int16))"
ports='in=float out=float' refuse_part "'int64_t' is none of its values" convert 'from="float" to="int64_t"'
