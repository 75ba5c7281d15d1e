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

# ---- parts of devices -----------------------------------------------------------------------------

cat >count.c <<'END'
#include <dal.h>
struct _local_states { int next; };
int Count_fire(DALProcess *p)
{
    int next = p->local->next;
    DAL_WRITE_TOKEN(out, &next, p);
    return p->local->next++ == 7;
}
END
cat >print.c <<'END'
#include <dal.h>
int Print_fire(DALProcess *p)
{
    int number;
    DAL_READ_TOKEN(in, &number, p);
    DAL_printf("%d ", number);
    return 0;
}
END
for name in One Two; do
    cat >>pass.cl <<END
__kernel void $name(__global const int *in, __global int *out)
{
    out[get_group_id(0)] = in[get_group_id(0)] + 1;
}
END
done
cat >net.xml <<'END'
<processnetwork name="parts">
  <process name="Count" source="count.c"/>
  <process name="One" source="pass.cl"/>
  <process name="Two" source="pass.cl"/>
  <process name="Print" source="print.c"/>
  <channel from="Count.out" to="One.in" type="int"/>
  <channel from="One.out" to="Two.in" type="int"/>
  <channel from="Two.out" to="Print.in" type="int"/>
</processnetwork>
END

# round_trip ONE TWO OPTION...: what it writes is read, and kernels run on these processors
round_trip() {
    local one=$1 two=$2
    shift 2
    run 0 "$dalinfo" --architecture -o arch.xml "$@"
    mapping "Count - core_0" "One - $one" "Two - $two" "Print - core_0" >map.xml
    synthesise --check --strict net.xml arch.xml map.xml
    synthesise --strict -o parts net.xml arch.xml map.xml
    run 0 parts/parts --strict
    expect "2 3 4 5 6 7 8 9" output
    [ ! -s messages ] || fail "$*: the program says" messages
}

whole=$(sed -n 's/^  sub-devices .*_SUB1 to _SUB\([0-9]*\)$/\1/p' <("$dalinfo") | head -n 1)
if [ -n "$whole" ]; then
    round_trip device_0 device_1 --sub-devices=2
    [ "$(grep -c '_SUB[12]" *$' arch.xml)" -ge 2 ] || fail "no sub-devices" arch.xml
    run 1 "$dalinfo" --architecture --sub-devices=$((whole + 1)) -o none.xml
    expect "has $whole sub-devices, not $((whole + 1))" messages
    expect "--sub-devices: CPU_" messages
    [ ! -e none.xml ] || fail "too many sub-devices, and a file"
    if [ "$whole" -ge "$(nproc)" ] && [ "$(nproc)" -ge 2 ]; then
        round_trip core_0 core_1 --opencl-on-cores
        [ "$(grep -c '<processor ' arch.xml)" = $((processors - 1)) ] || fail "the whole device as well" arch.xml
    fi
    if [ "$(nproc)" -ge 2 ]; then
        POCL_DEVICES=basic run 1 "$dalinfo" --architecture --opencl-on-cores
        expect "sub-devices, not $(nproc)" messages
        POCL_DEVICES=basic run 1 "$dalinfo" --architecture --sub-devices=2
        expect "--sub-devices: no device of this machine has any" messages
    fi
fi
OCL_ICD_VENDORS=$work/no-vendors run 1 "$dalinfo" --architecture --opencl-on-cores
expect "no OpenCL device of this machine is its cores" messages
OCL_ICD_VENDORS=$work/no-vendors run 1 "$dalinfo" --architecture --sub-devices=1
expect "no device of this machine has any" messages
for wrong in --sub-devices=2 --opencl-on-cores "--architecture --measure --opencl-on-cores" "--architecture --sub-devices=0" \
    "--architecture --sub-devices=two"; do
    # shellcheck disable=SC2086 # several options
    run 2 "$dalinfo" $wrong
done

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
