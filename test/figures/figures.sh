#!/usr/bin/env bash
# Specifications in the shape of the thesis's figures 5.2 to 5.4: a processor that is missing is
# reported with both files; mended, the program runs from the C source and from the kernel.
set -euo pipefail

work=$(mktemp -d "${TMPDIR:-/tmp}/dal-figures.XXXXXX")
trap 'rm -rf "$work"' EXIT
cp "${DAL_SRCDIR:?}"/test/figures/input/* "$work"
cd "$work"
dalsynth=${DAL_BUILDDIR:?}/synth/dalsynth

expect() { # TEXT: stands in the messages
    grep -qF "$1" messages || {
        echo "missing from the messages: $1"
        cat messages
        exit 1
    }
}

status=0
"$dalsynth" -o out network.xml architecture.xml mapping.xml 2>messages || status=$?
[ "$status" -eq 1 ] || { echo "exit status $status, not 1"; exit 1; }
expect "mapping.xml:7: error: [unknown-processor]"
expect "'middle'"
expect "architecture.xml:5: note:"
expect "mapping.xml:10: error: [capability-mismatch]"
[ ! -e out ] || { echo "an output folder is left behind"; exit 1; }

# From the C source, on a core.
sed -e 's/"middle"/"right"/' -e 's/"card"/"left"/' mapping.xml >cores.xml
"$dalsynth" -o cores network.xml architecture.xml cores.xml
cores/meter >output
grep -qx "101 samples, sum 5050" output || { cat output; exit 1; }

# From the kernel, on a card that is not here: another device does it, and that is said.
sed -e 's/"middle"/"left"/' -e 's/sourceid="1"/sourceid="0"/' mapping.xml >card.xml
"$dalsynth" -o card network.xml architecture.xml card.xml
card/meter >output 2>messages
expect "GPU_1_SomeCard_DEV1"
[ "$(grep -c '^sample ' output)" -eq 101 ] || { cat output; exit 1; }
[ "$(sed -n 's/^sample //p' output | awk '{ n += $1 } END { print n }')" -eq 5050 ] || exit 1
if card/meter --strict >output 2>messages; then
    echo "--strict takes another device"
    exit 1
fi
expect "GPU_1_SomeCard_DEV1"
echo "1 missing processor, 2 mended mappings"
