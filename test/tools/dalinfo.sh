#!/usr/bin/env bash
# dalinfo: what it lists, what it writes, and how it ends.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

mkdir no-vendors

run 0 "$dalinfo"
expect "Cores: " output
expect "wildcard          CPU_DEV1" output
identifier=$(sed -n '0,/^  identifier/s/^  identifier *//p' output)
devices=$(grep -c '^OpenCL device' output)

run 0 "$dalinfo" --architecture
cp output first.xml
expect '<processor name="core_0" type="RISC" id="1">' output
expect '<processor name="device_0" type="' output
expect '<capability name="OPENCL" identifier="' output
expect "identifier=\"$identifier\"" output
processors=$(grep -c '<processor ' output)
links=$(grep -c '<link ' output)
[ "$processors" = "$links" ] || fail "$processors processors, $links links"
[ "$processors" = $(($(nproc) + devices)) ] ||
    fail "$processors processors, $(nproc) cores and other devices"

run 0 "$dalinfo" --architecture -o second.xml
cmp first.xml second.xml || fail "two runs differ"
if command -v xmllint >/dev/null; then
    xmllint --noout first.xml || fail "the architecture is not XML"
fi

# A machine without any OpenCL platform has cores all the same.
export OCL_ICD_VENDORS=$work/no-vendors
run 0 "$dalinfo"
expect "OpenCL devices: none" output
run 0 "$dalinfo" --architecture
expect 'name="core_0"' output
if grep -q OPENCL output; then fail "a device without a platform"; fi
unset OCL_ICD_VENDORS

# Two devices of one platform, where the driver lets us choose them.
POCL_DEVICES="pthread basic" run 0 "$dalinfo"
if [ "$(grep -c '^OpenCL device' output)" -ge 2 ]; then
    POCL_DEVICES="pthread basic" run 0 "$dalinfo" --architecture
    expect 'name="device_1"' output
fi

# One core only.
first=$(sed -n '0,/POSIX/s/.*POSIX" identifier="\([0-9]*\)".*/\1/p' first.xml)
run 0 taskset -c "$first" "$dalinfo" --architecture
[ "$(grep -c POSIX output)" = 1 ] || fail "bound to one core, it lists more" output

run 0 "$dalinfo" --help
expect "usage: dalinfo" output
run 0 "$dalinfo" --version
expect "dalinfo " output
run 2 "$dalinfo" --nonsense
expect "usage: dalinfo" messages
run 2 "$dalinfo" argument
expect "unexpected argument 'argument'" messages
run 1 "$dalinfo" -o "$work/no/such/folder"
expect "cannot be written" messages
run 1 "$dalinfo" -o /dev/full
expect "cannot be written" messages
