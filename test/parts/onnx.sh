#!/usr/bin/env bash
# dal:onnx.xml runs a model as NumPy computes it, several firings at once, and has no threads of its own. Models that are damaged, or
# have other ends than the network says, are refused by name. Where the library is missing, the part is.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/files_lib.sh"
missing="needs: 'libonnxruntime' is not there; libonnxruntime is in Debian's package libonnxruntime-dev"

ports='in=float[6] out=float[2]'
PKG_CONFIG=false refuse_part "$missing" onnx 'model="m.onnx" length="6" tolength="2"'
if ! pkg-config --exists libonnxruntime; then
    refuse_part "$missing" onnx 'model="m.onnx" length="6" tolength="2"'
    skip "pkg-config does not know libonnxruntime: only that was tested"
fi
need

# Relu(x w + b), of 6 numbers; of an image, its sums; the largest of some bytes, as int64_t.
PYTHONPATH=$source/apps/digits PYTHONDONTWRITEBYTECODE=1 "$python" - <<'END_OF_PYTHON'
import numpy, onnx_file
from onnx_file import node, write
draw = numpy.random.default_rng(1)
w, b = draw.normal(size=(6, 2)).astype("float32"), draw.normal(size=2).astype("float32")
x = draw.normal(size=(4096, 6)).astype("float32")
numpy.save("x.npy", x)
numpy.save("wanted.npy", numpy.maximum(x.astype(float) @ w + b, 0))
nodes = [node("Gemm", ["x", "w", "b"], "xw"), node("Relu", ["xw"], "y")]
def dense(file, rows, width=6): write(file, nodes, {"w": w, "b": b}, [("x", "float32", [rows, width])], [("y", "float32", [rows, 2])])
dense("open.onnx", "rows")
dense("eight.onnx", 8)
dense("wide.onnx", "rows", "width")
write("lies.onnx", [node("Concat", ["x", "x"], "y", axis=0)], {}, [("x", "float32", ["n", 6])], [("y", "float32", ["m", 2])])
write("two.onnx", [node("Relu", ["x"], "y"), node("Neg", ["x"], "z")], {}, [("x", "float32", ["n", 6])],
      [("y", "float32", ["n", 6]), ("z", "float32", ["n", 6])])
write("bytes.onnx", [node("Cast", ["x"], "f", to=1), node("ArgMax", ["f"], "y", axis=1, keepdims=0)], {},
      [("x", "uint8", ["n", 5])], [("y", "int64", ["n"])])
bytes_ = draw.integers(0, 256, (300, 5)).astype("uint8")
numpy.save("bytes.npy", bytes_)
numpy.save("places.npy", bytes_.argmax(axis=1))
END_OF_PYTHON

# of FOLDER ATTRIBUTE...: makes the part as FOLDER/FOLDER
of() {
    local folder=$1
    shift
    part onnx "$@"
    rm -rf "$folder"
    mv onnx "$folder"
    mv "$folder/onnx" "$folder/$folder"
}
of dense 'model="open.onnx" length="6" tolength="2" batch="8"'

# is_right MODEL [PARAMETER...]: of 4096 rows
is_right() {
    local model=$1
    shift
    run 0 dense/dense --in=x.npy --out=y.npy -p "Part.Infer.model=$model" "$@"
    [ ! -s messages ] || fail "it talks" messages
    "$python" -c '
import numpy
y, wanted = numpy.load("y.npy"), numpy.load("wanted.npy")
assert y.shape == wanted.shape and abs(y - wanted).max() < 1e-5, y' || fail "$model: other numbers"
}
is_right open.onnx
is_right eight.onnx
is_right wide.onnx -p "Part.Infer.shape=8 6"

# Firings go side by side on all cores, in the threads of the network alone: a worker of each, the ports' two, and main.
run 0 "$dalsynth" --explain onnx.xml
[ "$(nproc)" -eq 1 ] || grep -qE '^Part.Infer +core_0,core_1' output || fail "one firing at a time" output
start dense/dense --in=/dev/zero --out=/dev/null
until_so is_at_work
threads=$(ls "/proc/$running/task" | wc -l)
kill -TERM $running
ended
[ $status -eq 0 ] || fail "exit status $status after SIGTERM" messages
[ "$threads" -le $(($(nproc) + 3)) ] || fail "there are $threads threads"

ports='in=uint8_t[5] out=int64_t'
of bytes 'model="bytes.onnx" type="uint8_t" length="5" totype="int64_t" tolength="1" batch="3"'
run 0 bytes/bytes --in=bytes.npy --out=y.npy
"$python" -c '
import numpy
y, wanted = numpy.load("y.npy").ravel(), numpy.load("places.npy")
assert y.dtype == "int64" and (y == wanted).all(), y' || fail "other places"
# Tokens that are elements, and one output of two
ports='in=float out=float[3]'
of two 'model="two.onnx" length="6" token="1" tolength="6" totoken="3" output="z"'
"$python" -c 'import numpy; numpy.save("flat.npy", numpy.load("x.npy").ravel()[:600])'
run 0 two/two --in=flat.npy --out=y.npy
"$python" -c '
import numpy
assert (numpy.load("y.npy").ravel() == -numpy.load("flat.npy")).all()' || fail "another output"

# ---- what is refused -----------------------------------------------------------------------------

refused() { # TEXT PROGRAM INPUT MODEL [PARAMETER...]
    local text=$1 program=$2 in=$3 model=$4
    shift 4
    rm -f y.npy
    run 1 "$program/$program" "--in=$in" --out=y.npy -p "Part.Infer.model=$model" "$@"
    expect "$model" messages
    expect "$text" messages
    [ "$(grep -c . messages)" -le 2 ] || fail "it talks too much" messages
    [ ! -e y.npy ] || fail "$text: there is an output"
}
echo "no model, but a text" >text.onnx
: >empty.onnx
head -c 100 open.onnx >cut.onnx
mkdir folder.onnx
refused "nowhere.onnx: No such file or directory" dense x.npy nowhere.onnx
refused "folder.onnx is no ordinary file" dense x.npy folder.onnx
refused "process Part.Infer: text.onnx" dense x.npy text.onnx
refused "process Part.Infer: empty.onnx" dense x.npy empty.onnx
refused "process Part.Infer: cut.onnx" dense x.npy cut.onnx
refused "bytes.onnx: its input x has elements of uint8_t, and not float" dense x.npy bytes.onnx
refused "two.onnx: it has 2 outputs: give the name of one" dense x.npy two.onnx
refused "two.onnx: it has no output q" dense x.npy two.onnx -p Part.Infer.output=q
refused "two.onnx: its output y is ? x 6, which 16 elements do not fill" dense x.npy two.onnx -p Part.Infer.output=y
refused "wide.onnx: its input x is ? x ?, of which more than one dimension is open: give its shape" dense x.npy wide.onnx
refused "wide.onnx: its input x is 6 x 6, which 48 elements do not fill" dense x.npy wide.onnx -p "Part.Infer.shape=6 6"
refused "open.onnx: its input x is ? x 6, and not '8 5'" dense x.npy open.onnx -p "Part.Infer.shape=8 5"
refused "open.onnx: its input x is ? x 6, and not '8 6 1'" dense x.npy open.onnx -p "Part.Infer.shape=8 6 1"
refused "open.onnx: its input x is ? x 6, and not '8 x'" dense x.npy open.onnx -p "Part.Infer.shape=8 x"
refused "eight.onnx: its input x is 8 x 6, which 6 elements do not fill" two flat.npy eight.onnx -p Part.Infer.output=y
refused "lies.onnx" dense x.npy lies.onnx
ports='in=float[6] out=float[2]'
refuse_part "length: 0 is too small" onnx 'model="m" length="0" tolength="2"'
network onnx 'model="m" length="6" token="4" tolength="2"'
run 1 "$dalsynth" -o refused onnx.xml

# Bytes that are changed: an error by name, or a model of the same ends.
"$python" - <<'END_OF_PYTHON'
import random
good = open("open.onnx", "rb").read()
random.seed(1)
for i in range(12):
    bad = bytearray(good)
    for _ in range(3): bad[random.randrange(len(bad))] = random.randrange(256)
    open(f"bad{i}.onnx", "wb").write(bad)
END_OF_PYTHON
for model in bad*.onnx; do
    status=0
    dense/dense --in=x.npy --out=y.npy -p "Part.Infer.model=$model" >output 2>messages || status=$?
    [ $status -eq 0 ] || { [ $status -eq 1 ] && grep -qF "$model" messages; } || fail "$model: exit status $status" messages
done
