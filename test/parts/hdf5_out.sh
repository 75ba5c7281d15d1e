#!/usr/bin/env bash
# dal:hdf5_out.xml writes data sets that h5py and h5dump read. A file has its name when it is whole, and not before.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/files_lib.sh"
need pkg:hdf5 h5dump
"$python" -c 'import h5py' 2>/dev/null || skip "python3 has no h5py"

"$python" -c '
import numpy
x = numpy.random.default_rng(1).normal(size=10001).astype("f4")
numpy.save("float.npy", x)
numpy.save("rows.npy", x[:9960].reshape(166, 60))
numpy.save("int64.npy", numpy.arange(-5, 5) * 10**17)
numpy.save("none.npy", x[:0])'

# is_written PROGRAM INPUT FILE PATH: h5py reads what was handed in
is_written() {
    run 0 "$1/$1" --in="$2.npy" -p "Part.Write.file=$3" -p "Part.Write.path=$4"
    [ ! -s messages ] || fail "it talks" messages
    "$python" -c "
import h5py, numpy
x, y = numpy.load('$2.npy'), h5py.File('$3', 'r')['$4'][()]
assert x.dtype == y.dtype and x.shape == y.shape and numpy.array_equal(x, y), (x, y)" || fail "$3: other numbers"
}
ports=in=float
part hdf5_out 'file="a.h5" path="/a"'
mv hdf5_out floats
mv floats/hdf5_out floats/floats
ports=in=float
part hdf5_out 'file="a.h5" path="/a" row="60"'
mv hdf5_out rows
mv rows/hdf5_out rows/rows
ports=in=int64_t
part hdf5_out 'file="a.h5" path="/a" type="int64_t"'
mv hdf5_out longs
mv longs/hdf5_out longs/longs
is_written floats float a.h5 /run/deep/samples
h5dump -H a.h5 >log
expect 'DATATYPE  H5T_IEEE_F32LE' log
expect 'SIMPLE { ( 10001 ) / ( H5S_UNLIMITED ) }' log
is_written longs int64 a.h5 numbers
is_written floats none none.h5 nothing
"$python" -c "import numpy; numpy.save('flat.npy', numpy.load('rows.npy').ravel())"
run 0 rows/rows --in=flat.npy -p Part.Write.file=rows.h5 -p Part.Write.path=rows
"$python" -c "
import h5py, numpy
assert numpy.array_equal(numpy.load('rows.npy'), h5py.File('rows.h5', 'r')['rows'][()])" || fail "other rows"
run 0 floats/floats --in=float.npy -p Part.Write.file=a.h5
run 0 floats/floats --in=float.npy -p Part.Write.file=b.h5
cmp a.h5 b.h5 || fail "the same numbers are another file"

# ---- what is refused -----------------------------------------------------------------------------

cp float.npy x.npy
write_refused "nowhere/a.h5 cannot be written: No such file or directory" floats nowhere/a.h5
write_refused "it has no path of a data set" floats "" path
write_refused "data set / cannot be made" floats / path
mkdir folder.h5
write_refused "folder.h5 cannot be written: it is there, and no ordinary file" floats folder.h5
# Nobody writes a file that another one of the network writes: neither a part nor a port.
cat >both.xml <<'END'
<processnetwork name="both">
  <port type="input" name="in" tokentype="float"/>
  <port type="output" name="out" tokentype="float"/>
  <network name="A" source="dal:hdf5_out.xml" file="same.h5" path="a"/>
  <network name="B" source="dal:hdf5_out.xml" file="other.h5" path="b"/>
  <network name="Gain" source="dal:gain.xml"/>
  <channel from="in" to="A.in"/>
  <channel from="in" to="B.in"/>
  <channel from="in" to="Gain.in"/>
  <channel from="Gain.out" to="out"/>
</processnetwork>
END
synthesise -o both both.xml
# So long that neither has ended when the other one begins.
"$python" -c "import numpy; numpy.save('many.npy', numpy.zeros(3000000, 'f4'))"
run 1 both/both --in=many.npy --out=y.npy -p B.Write.file=./same.h5
expect "same.h5 cannot be written: another process or port of the network writes it" messages
run 1 both/both --in=many.npy --out=same.h5
expect "same.h5 cannot be written: another process or port of the network writes it" messages
[ ! -e same.h5 ] || fail "one of two is there"
run 0 both/both --in=x.npy --out=y.npy
keeps_mode floats mode.h5
stays_when_full floats full.h5
stays_old floats old.h5 f4
refuse_part "row: 0 is too small" hdf5_out 'file="a" path="a" row="0"'
ports='in=float[2]'
network hdf5_out 'file="a" path="a" row="3" token="2"'
run 1 "$dalsynth" -o refused hdf5_out.xml
expect "a row has whole tokens" messages
refuse_part "variable 'path'" hdf5_out 'file="a.h5"'
