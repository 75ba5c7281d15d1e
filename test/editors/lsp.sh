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
mkdir two
echo '<processnetwork name="aa"><process name="Other" source="o.c"/></processnetwork>' >two/aa.xml
cat >two/bb.xml <<'END'
<processnetwork name="bb">
  <process name="Mine" source="mine.c"/>
  <network name="L" source="inner.xml"/>
  <channel from="Mine.out" to="L.in" tokensize="4"/>
</processnetwork>
END
cat >two/inner.xml <<'END'
<processnetwork name="inner"><port type="input" name="in"/><process name="Deep" source="o.c"/>
<channel from="in" to="Deep.in"/></processnetwork>
END
cat >two/map.xml <<'END'
<mapping name="m" processnetwork="bb">
  <binding name="a"><process name=""/><processor name="core_0"/></binding>
  <binding name="b"><process name="Mine"/><processor name="core_0"/></binding>
</mapping>
END
echo 'int Mine_fire(void *p) { return DAL_write(PORT_out, 0, 0, p); }' >two/mine.c
"$dalinfo" --architecture -o machine.xml
run 0 "$build/tools/dal" expand hello.xml
mv output long.xml
PYTHONDONTWRITEBYTECODE=1 python3 "$source/test/editors/lsp.py" "$build/tools/dal" . >log 2>&1 || fail "dal lsp" log
cat log

run 0 "$build/tools/dal" lsp --version
run 0 "$build/tools/dal" lsp --help
run 2 "$build/tools/dal" lsp words
