#!/usr/bin/env bash
# Specifications in the shape of Scherer 2013, figures 5.2 to 5.4: a processor that is missing is
# reported with both files; mended, the program runs from the C source and from the kernel.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp "$input"/* .
refuse "mapping.xml:7: error: [unknown-processor]" network.xml architecture.xml mapping.xml
expect "'middle'" messages
expect "architecture.xml:5: note:" messages
expect "mapping.xml:10: error: [capability-mismatch]" messages

# From the C source, on a core.
sed -e 's/"middle"/"right"/' -e 's/"card"/"left"/' mapping.xml >cores.xml
synthesise -o cores network.xml architecture.xml cores.xml
run 0 cores/meter
grep -qx "101 samples, sum 5050" output || fail "on a core" output

# From the kernel, on a card that is not here: another device does it, and that is said.
sed -e 's/"middle"/"left"/' -e 's/sourceid="1"/sourceid="0"/' mapping.xml >card.xml
synthesise -o card network.xml architecture.xml card.xml
run 0 card/meter
expect "GPU_1_SomeCard_DEV1" messages
[ "$(grep -c '^sample ' output)" -eq 101 ] || fail "on the card" output
[ "$(sed -n 's/^sample //p' output | awk '{ n += $1 } END { print n }')" -eq 5050 ] || fail "another sum" output
run 1 card/meter --strict
expect "GPU_1_SomeCard_DEV1" messages
echo "1 missing processor, 2 mended mappings"
