#!/usr/bin/env bash
# dalinfo: what it lists, what it writes, and how it ends.
set -u
dalinfo=$DAL_BUILDDIR/tools/dalinfo
work=$DAL_BUILDDIR/test/work/dalinfo
failures=0

fail()
{
    echo "FAIL: $1"
    failures=$((failures + 1))
}

# expect STATUS ARGUMENT...: runs dalinfo, its output into out and err.
expect()
{
    local wanted=$1 status=0
    shift
    "$dalinfo" "$@" >"$work/out" 2>"$work/err" || status=$?
    [ "$status" = "$wanted" ] || fail "dalinfo $*: exit status $status, not $wanted"
}

# contains FILE TEXT
contains()
{
    grep -qF -- "$2" "$work/$1" || fail "'$2' is not in what dalinfo wrote to $1"
}

rm -rf "$work"
mkdir -p "$work/no-vendors"

expect 0
contains out "Cores: "
contains out "wildcard          CPU_DEV1"

expect 0 --architecture
cp "$work/out" "$work/first.xml"
contains out '<processor name="core_0" type="RISC" id="1">'
contains out '<processor name="device_0" type="'
contains out '<capability name="OPENCL" identifier="'
identifier=$("$dalinfo" | sed -n 's/^  identifier *//p' | head -n 1)
contains out "identifier=\"$identifier\""
processors=$(grep -c '<processor ' "$work/out")
links=$(grep -c '<link ' "$work/out")
[ "$processors" = "$links" ] || fail "$processors processors, $links links"
[ "$processors" = $(($(nproc) + $("$dalinfo" | grep -c '^OpenCL device'))) ] ||
    fail "$processors processors, $(nproc) cores and other devices"

expect 0 --architecture -o "$work/second.xml"
cmp "$work/first.xml" "$work/second.xml" || fail "two runs differ"
if command -v xmllint >/dev/null; then
    xmllint --noout "$work/first.xml" || fail "the architecture is not XML"
fi

# A machine without any OpenCL platform has cores all the same.
export OCL_ICD_VENDORS=$work/no-vendors
expect 0
contains out "OpenCL devices: none"
expect 0 --architecture
contains out 'name="core_0"'
if grep -q OPENCL "$work/out"; then fail "a device without a platform"; fi
unset OCL_ICD_VENDORS

# Two devices of one platform, where the driver lets us choose them.
two=$(POCL_DEVICES="pthread basic" "$dalinfo" | grep -c '^OpenCL device')
if [ "$two" -ge 2 ]; then
    POCL_DEVICES="pthread basic" expect 0 --architecture
    contains out 'name="device_1"'
fi

# One core only.
first=$(sed -n 's/.*POSIX" identifier="\([0-9]*\)".*/\1/p' "$work/first.xml" | head -n 1)
cores=$(taskset -c "$first" "$dalinfo" --architecture | grep -c POSIX)
[ "$cores" = 1 ] || fail "bound to one core, it lists $cores"

expect 0 --help
contains out "Usage: dalinfo"
expect 0 --version
contains out "dalinfo "
expect 2 --nonsense
contains err "Usage: dalinfo"
expect 2 argument
contains err "unexpected argument 'argument'"
expect 1 -o "$work/no/such/folder"
contains err "cannot be written"
expect 1 -o /dev/full
contains err "cannot be written"

[ "$failures" = 0 ]
