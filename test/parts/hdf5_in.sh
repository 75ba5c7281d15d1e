#!/usr/bin/env bash
# dal:hdf5_in.xml reads data sets that h5py has written: of each type, in chunks and packed, of several dimensions. Others are refused.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/files_lib.sh"
need pkg:hdf5
"$python" -c 'import h5py' 2>/dev/null || skip "python3 has no h5py"

"$python" - <<'END_OF_PYTHON'
import h5py, numpy
x = numpy.random.default_rng(1).normal(size=10001).astype("f4")
with h5py.File("a.h5", "w") as f:
    f["run/samples"] = x
    f["swapped"] = x.astype(">f4")
    f.create_dataset("packed", data=x, chunks=(100,), compression="gzip")
    f["frames"] = x[:6000].reshape(100, 3, 20)
    f["double"] = x.astype("f8")
    f["shorts"] = numpy.arange(-500, 500, dtype="i2")
    f["unsigned"] = numpy.arange(1000, dtype="u2")
    f["long"] = numpy.arange(1000, dtype="i4")
    f["one"] = numpy.float32(1)
    f["nothing"] = numpy.zeros(0, "f4")
    f["text"] = "a text"
    f["fields"] = numpy.zeros(4, dtype=[("a", "f4"), ("b", "f4")])
    f["huge"] = h5py.Empty("f4")
    f.create_dataset("endless", shape=(1 << 50,), dtype="f4", chunks=(4096,))
    f.create_dataset("wide", shape=(4, 1 << 40, 1 << 40), dtype="f4", chunks=(1, 1, 1))
    # A chunk is larger than what the library keeps of them, and has many rows.
    f.create_dataset("large", data=numpy.tile(x[:6000], 200).reshape(20000, 60), chunks=(20000, 60), compression="gzip")
    f.create_dataset("lzf", data=x, compression="lzf")
    layout = h5py.VirtualLayout((10001,), "f4")
    layout[:] = h5py.VirtualSource("part.h5", "x", (10001,))
    f.create_virtual_dataset("virtual", layout)
    # Elements in other files, which may not be there.
    for name, file, set in (("no_set", "part.h5", "y"), ("own", ".", "run/samples"), ("deep", "part.h5", "gone"), ("loop", ".", "loop"),
                            ("not_hdf5", "whole.raw", "x")):
        layout = h5py.VirtualLayout((10001,), "f4")
        layout[:] = h5py.VirtualSource(file, set, (10001,))
        f.create_virtual_dataset(name, layout)
    for name, files in ("bytes", [("whole.raw", 8, 4000), ("whole.raw", 4008, h5py.h5s.UNLIMITED)]), ("short", [("short.raw", 0, 40004)]), \
            ("away", [("away.raw", 0, 40004)]):
        f.create_dataset(name, (10001,), "f4", external=files)
x.tofile("short.raw")
open("whole.raw", "wb").write(bytes(8) + x.tobytes())
with open("short.raw", "r+b") as file:
    file.truncate(40003)
with h5py.File("part.h5", "w") as f:
    f["x"] = x
    layout = h5py.VirtualLayout((10001,), "f4")
    layout[:] = h5py.VirtualSource("gone_too.h5", "x", (10001,))
    f.create_virtual_dataset("gone", layout)
with h5py.File("cut.h5", "w") as f:
    f.create_dataset("run/samples", data=x, chunks=(100,), compression="gzip", fletcher32=True)
numpy.save("floats.npy", x)
numpy.save("shorts.npy", numpy.arange(-500, 500, dtype="i2"))
END_OF_PYTHON
ports=out=float
part hdf5_in 'file="a.h5" path="/run/samples"'
mv hdf5_in floats
mv floats/hdf5_in floats/floats
part hdf5_in 'file="a.h5" path="/frames" row="60"'
mv hdf5_in rows
mv rows/hdf5_in rows/rows
ports=out=int16_t
part hdf5_in 'file="a.h5" path="/shorts" type="int16_t"'
mv hdf5_in shorts
mv shorts/hdf5_in shorts/shorts

# is_read PROGRAM PATH WANTED
is_read() {
    run 0 "$1/$1" --out=y.npy -p "Part.Read.path=$2"
    [ ! -s messages ] || fail "it talks" messages
    "$python" -c "
import numpy
floats, shorts, y = numpy.load('floats.npy'), numpy.load('shorts.npy'), numpy.load('y.npy')
wanted = $3
assert y.dtype == wanted.dtype and numpy.array_equal(y, wanted), (y.shape, y, wanted)" || fail "$2: other numbers"
}
is_read floats /run/samples floats
is_read floats run/samples floats
is_read floats swapped floats
is_read floats packed floats
is_read floats nothing 'floats[:0]'
is_read rows /frames 'floats[:6000]'
is_read shorts shorts shorts
is_read floats virtual floats
is_read floats own floats
is_read floats bytes floats
mkdir elsewhere
cp a.h5 part.h5 whole.raw elsewhere
mv whole.raw kept.raw
HDF5_EXTFILE_PREFIX='${ORIGIN}' run 0 floats/floats --out=y.npy -p Part.Read.file=elsewhere/a.h5 -p Part.Read.path=bytes
mv kept.raw whole.raw
mv part.h5 kept.h5
run 0 floats/floats --out=y.npy -p Part.Read.file=elsewhere/a.h5 -p Part.Read.path=virtual
mv kept.h5 part.h5
# How often is a chunk unpacked?
cat >count.c <<'END_OF_C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

static int calls;

int inflate(void *stream, int flush)
{
    int (*real)(void *, int) = (int (*)(void *, int))dlsym(RTLD_NEXT, "inflate");
    calls++;
    return real(stream, flush);
}

__attribute__((destructor)) static void tell(void)
{
    FILE *file = fopen("unpacked", "w");
    fprintf(file, "%d\n", calls);
    fclose(file);
}
END_OF_C
${CC:-cc} -shared -fPIC -o count.so count.c -ldl >log 2>&1 || fail "no library that counts" log
is_read rows large 'numpy.tile(floats[:6000], 200)'
run 0 env LD_PRELOAD="$PWD/count.so" rows/rows --out=y.npy -p Part.Read.path=large
[ "$(cat unpacked)" -lt 50 ] || fail "a chunk is unpacked again and again" unpacked

# ---- what is refused -----------------------------------------------------------------------------

refused() { # TEXT PROGRAM PATH
    read_refused "$1" "$2" "$3" path
}
refused "a.h5 has no data set /no" floats /no
refused "a.h5 has no data set run" floats run
refused "a.h5 has no data set " floats ""
refused "a.h5: data set double has elements of another type than float" floats double
refused "a.h5: data set shorts has elements of another type than float" floats shorts
refused "a.h5: data set unsigned has elements of another type than int16_t" shorts unsigned
refused "a.h5: data set long has elements of another type than int16_t" shorts long
refused "a.h5: data set text has elements of another type than float" floats text
refused "a.h5: data set fields has elements of another type than float" floats fields
refused "a.h5: data set huge is no array" floats huge
refused "a.h5: data set one is no array" floats one
refused "a.h5: data set frames has rows of 60 elements, and not 1" floats frames
refused "a.h5: data set packed has rows of 1 elements, and not 60" rows packed
refused "a.h5: data set lzf needs filter 32000 of HDF5, lzf, which is not installed" floats lzf
refused "a.h5: data set no_set has elements in part.h5: it has no data set y" floats no_set
refused "a.h5: data set deep has elements in gone_too.h5: No such file or directory" floats deep
refused "a.h5: data set loop has elements in .: sets of sets of sets, without an end" floats loop
refused "a.h5: data set not_hdf5 has elements in whole.raw: it is no HDF5 file, or damaged" floats not_hdf5
refused "a.h5: data set short has elements in short.raw: it ends too early" floats short
refused "a.h5: data set away has elements in away.raw: No such file or directory" floats away
mv part.h5 gone.h5
refused "a.h5: data set virtual has elements in part.h5: No such file or directory" floats virtual
refused "a.h5: data set wide has too large a shape" floats wide
for bytes in 100 1000 3000 20000; do
    head -c $bytes cut.h5 >cut_$bytes.h5
done
cp cut.h5 damage.h5
printf 'damage damage' | dd of=damage.h5 bs=1 seek=20000 conv=notrunc status=none
read_refused "damage.h5: data set /run/samples cannot be read: the file is damaged" floats damage.h5
read_hostile floats cut_*
refuse_part "'long' is none of its values" hdf5_in 'file="a.h5" path="a" type="long"'
refuse_part "variable 'path'" hdf5_in 'file="a.h5"'

# ---- a signal -----------------------------------------------------------------------------------

stops floats endless path
