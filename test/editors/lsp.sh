#!/usr/bin/env bash
# dal lsp: messages while one types, of texts that are not saved, of parts and of mappings; completion, definitions, hovers and
# the picture; messages that are none; how it ends.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
command -v python3 >/dev/null || skip "python3 is missing"

cp "$source"/apps/hello/*.{xml,c,cl} .
cp -r "$source/apps/mjpeg" .
cp "$source/test/spec/bad/part-inside/network.xml" outer.xml
cp "$source/test/spec/bad/part-inside/broken.xml" inner.xml
chmod -R u+w .
sed -i 's/broken\.xml/inner.xml/' outer.xml
"$dalinfo" --architecture -o machine.xml
run 0 "$build/tools/dal" expand hello.xml
mv output long.xml
PYTHONDONTWRITEBYTECODE=1 python3 "$source/test/editors/lsp.py" "$build/tools/dal" . >log 2>&1 || fail "dal lsp" log
cat log

run 0 "$build/tools/dal" lsp --version
run 0 "$build/tools/dal" lsp --help
run 2 "$build/tools/dal" lsp words
