#!/usr/bin/env bash
# apps/digits reads the digits that were drawn, and refuses a model that is not there.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
need pkg:libonnxruntime pkg:libpng pkg:libjpeg

cp "$source"/apps/digits/* .
"$python" draw.py 48
"$python" model.py
synthesise -o digits digits.xml
run 0 digits/digits --digits=digits.npy
run 0 "$python" check.py digits.npy
read -ra words < <(tail -n 1 output)
[ "${words[2]}" = 192 ] && [ "${words[0]}" -ge 190 ] || fail "it reads other digits" output
run 1 digits/digits --digits=none.npy -p Read.Infer.model=none.onnx
expect "none.onnx: No such file or directory" messages
[ ! -e none.npy ] || fail "a file is left"
