#!/usr/bin/env bash
# dal:sigmf_in.xml reads recordings of complex samples. A meta file that is no such, or that its data contradict, is refused by name.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/files_lib.sh"
need pkg:jansson

"$python" -c '
import numpy
rng = numpy.random.default_rng(1)
rng.normal(size=20002).astype("<f4").tofile("cf32_le.sigmf-data")
x = rng.integers(-32768, 32768, 20002)
x[:4] = -32768, 32767, 0, 1
x.astype("<i2").tofile("ci16_le.sigmf-data")
x = rng.integers(0, 256, 20002)
x[:4] = 0, 255, 128, 1
x.astype("u1").tofile("cu8.sigmf-data")'
# meta NAME GLOBAL [MORE]: a meta file
meta() {
    printf '{\n"global": {%s, "core:version": "1.0.0"},\n"captures": [%s],\n"annotations": [%s]\n}\n' "$2" "${3:-}" "${4:-}" >"$1.sigmf-meta"
}
for type in cf32_le ci16_le cu8; do
    meta $type "\"core:datatype\": \"$type\", \"core:sample_rate\": 2.4e6" '{"core:sample_start": 0}' \
        '{"core:sample_start": 1, "core:sample_count": 10000}'
done
ports=out=float
part sigmf_in 'file="none" rate="2400000"'
# is_read TYPE WANTED
is_read() {
    run 0 sigmf_in/sigmf_in --out=y.npy -p "Part.Read.file=$1.sigmf-meta"
    [ ! -s messages ] || fail "it talks" messages
    "$python" -c "
import numpy
x, y = numpy.fromfile('$1.sigmf-data', '$2'), numpy.load('y.npy')
wanted = $3
assert y.dtype == 'f4' and numpy.array_equal(y, wanted.astype('f4')), (y, wanted)" || fail "$1: other samples"
}
is_read cf32_le '<f4' x
is_read ci16_le '<i2' 'x / 32768'
is_read cu8 u1 '(x.astype(int) - 128) / 128'

# ---- what is refused -----------------------------------------------------------------------------

# refused TEXT NAME: the recording is refused with a text that has the name of one of its files
refused() {
    read_refused "$1" sigmf_in "$2.sigmf-meta"
}
type='"core:datatype": "cf32_le"'
rate='"core:sample_rate": 2400000'
# contradicts TEXT NAME GLOBAL [CAPTURE [ANNOTATION]]: one with a whole data file
contradicts() {
    local text=$1 name=$2
    shift 2
    meta "$name" "$@"
    cp cf32_le.sigmf-data "$name.sigmf-data"
    refused "$text" "$name"
}
contradicts "slow.sigmf-meta: it has 48000 samples a second, and not 2400000" slow "$type, \"core:sample_rate\": 48000"
contradicts "norate.sigmf-meta: it has 0 samples a second, and not 2400000" norate "$type"
contradicts "rf32_le, and cf32_le, ci16_le and cu8 are read" real "\"core:datatype\": \"rf32_le\", $rate"
contradicts "big.sigmf-meta: its samples are cf32_be" big "\"core:datatype\": \"cf32_be\", $rate"
contradicts "core:datatype is missing" number "\"core:datatype\": 7, $rate"
contradicts "core:datatype is missing" long "\"core:datatype\": \"$(printf 'x%.0s' {1..5000})\", $rate"
contradicts "core:sample_rate is no number above 0" minus "$type, \"core:sample_rate\": -1"
contradicts "core:sample_rate is no number above 0" string "$type, \"core:sample_rate\": \"2400000\""
contradicts "huge.sigmf-meta: line 2" huge "$type, \"core:sample_rate\": 1e999"
contradicts "core:num_channels is not 1" two "$type, $rate, \"core:num_channels\": 2"
contradicts "core:num_channels is not 1" many "$type, $rate, \"core:num_channels\": 9223372036854775807"
contradicts "core:dataset names other files" other "$type, $rate, \"core:dataset\": \"/etc/passwd\""
contradicts "core:trailing_bytes is not 0" tail "$type, $rate, \"core:trailing_bytes\": 8"
contradicts "core:header_bytes is not 0" head "$type, $rate" '{"core:sample_start": 0, "core:header_bytes": 8}'
contradicts "far.sigmf-data has 10001 samples, and far.sigmf-meta speaks of 9223372036854775807" far "$type, $rate" \
    '{"core:sample_start": 9223372036854775807}'
contradicts "speaks of 18446744073709551614" sum "$type, $rate" '' \
    '{"core:sample_start": 9223372036854775807, "core:sample_count": 9223372036854775807}'
contradicts "core:sample_start is no number of samples" back "$type, $rate" '{"core:sample_start": -1}'
contradicts "core:sample_start is no number of samples" half "$type, $rate" '{"core:sample_start": 0.5}'
contradicts "'captures' has an entry that is no object" list "$type, $rate" '7'
contradicts "twice.sigmf-meta: line 2: duplicate object key" twice "$type, $type, $rate"

# text TEXT NAME JSON
text() {
    printf "$3" >"$2.sigmf-meta"
    cp cf32_le.sigmf-data "$2.sigmf-data"
    refused "$1" "$2"
}
text "open.sigmf-meta: line 1" open '{"global": '
text "empty.sigmf-meta: line 1" empty ''
text "zero.sigmf-meta: line 1" zero '{"\0": 1}'
text "latin.sigmf-meta: line 1" latin '{"\377": 1}'
text "array.sigmf-meta: it is no object" array '[]'
text "nothing.sigmf-meta: it has no object 'global'" nothing '{}'
text "list.sigmf-meta: it has no object 'global'" list '{"global": []}'
text "'captures' is no array" captures "{\"global\": {$type, $rate}, \"captures\": {}}"
text "'annotations' is no array" annotations "{\"global\": {$type, $rate}, \"annotations\": 5}"
"$python" -c 'print("[" * 1000000)' >deep.sigmf-meta
refused "deep.sigmf-meta: line 1" deep
truncate -s 17M large.sigmf-meta
refused "large.sigmf-meta is too long" large
meta lonely "$type, $rate"
refused "lonely.sigmf-data: No such file or directory" lonely
meta odd "$type, $rate"
head -c 20003 cf32_le.sigmf-data >odd.sigmf-data
refused "odd.sigmf-data ends within a sample" odd
meta cut "$type, $rate" '{"core:sample_start": 0}' '{"core:sample_start": 1, "core:sample_count": 10000}'
head -c 80000 cf32_le.sigmf-data >cut.sigmf-data
refused "cut.sigmf-data has 10000 samples, and cut.sigmf-meta speaks of 10001" cut
meta pipe "$type, $rate"
mkfifo pipe.sigmf-data
refused "pipe.sigmf-data is no ordinary file" pipe
read_refused "a.json: the name of a meta file ends in .sigmf-meta" sigmf_in a.json
read_refused "a meta file ends in .sigmf-meta" sigmf_in ''
refuse_part "rate: -1 is too small" sigmf_in 'file="a" rate="-1"'
refuse_part "variable 'file'" sigmf_in ''

# ---- blocks, and a signal -----------------------------------------------------------------------

part sigmf_in 'file="cu8.sigmf-meta" block="100"'
run 0 sigmf_in/sigmf_in --out=y.raw
[ "$(stat -c %s y.raw)" -eq 80000 ] || fail "blocks of 100 of 10001 samples are $(stat -c %s y.raw) bytes"
meta endless "$type, $rate"
truncate -s 800G endless.sigmf-data
stops sigmf_in endless.sigmf-meta
