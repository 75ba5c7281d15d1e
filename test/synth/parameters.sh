#!/usr/bin/env bash
# Parameters of processes on a device: a kernel has their values as arguments, each process of an iterator its own, and
# -p changes them when the program starts. The same network in C on a core has the same output.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

"$dalinfo" --architecture -o machine.xml
has_device machine.xml || skip "there is no OpenCL device"

cat >source.c <<'END'
#include <dal.h>
struct _local_states { int next; };
int Source_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->next, 4, p);
    return ++p->local->next == 4;
}
END
cat >scale.c <<'END'
#include <dal.h>
#include <stdlib.h>
int Scale_fire(DALProcess *p)
{
    int x;
    long add = 0;
    float gain = strtof(DAL_getParameter("gain", p), NULL);
    DAL_getParameterInt("add", &add, p);
    DAL_read(PORT_in, &x, 4, p);
    x = (int)((float)x * gain) + (int)add;
    DAL_write(PORT_out, &x, 4, p);
    return 0;
}
END
cat >scale.cl <<'END'
__kernel void Scale(__global const int *in, __global int *out, float gain, int add)
{
    size_t g = get_group_id(0);
    out[g] = (int)((float)in[g] * gain) + add;
}
END
cat >sink.c <<'END'
#include <dal.h>
int Sink_fire(DALProcess *p)
{
    int x;
    DAL_read(PORT_in, &x, 4, p);
    DAL_printf("%d ", x);
    return 0;
}
END

network() {
    cat <<'END'
<processnetwork name="scales">
<variable name="add" value="5"/>
<process name="Source"><port type="output" name="out"/><source type="c" location="source.c"/></process>
<iterator variable="i" range="2"><process name="Scale"><append function="i"/>
  <port type="input" name="in"/><port type="output" name="out"/>
  <parameter name="gain" value="${i + 1}.5" type="float" min="-${2 * add}" max="2000"/>
  <parameter name="note" value="words"/>
  <parameter name="add" value="${add + i}"/>
  <source id="0" type="c" location="scale.c"/>
  <source id="1" type="opencl" location="scale.cl"/>
</process></iterator>
<process name="Sink"><port type="input" name="in"/><source type="c" location="sink.c"/></process>
END
    channel a Source out Scale_0 in
    channel b Scale_0 out Scale_1 in
    channel c Scale_1 out Sink in
    echo '</processnetwork>'
}
network >scales.xml
mapping 'Source - core_0' 'Scale_* 0 core_0' 'Sink - core_0' >core.xml
mapping 'Source - core_0' 'Scale_* 1 device_0' 'Sink - core_0' >device.xml
mapping 'Source - core_0' 'Scale_* 1 device_0 <fallback sourceid="0" processor="core_0"/>' 'Sink - core_0' >fallback.xml
synthesise -o core scales.xml machine.xml core.xml
synthesise --strict -o device scales.xml machine.xml device.xml

# agree OPTION...: both print the same; it is in `output`.
agree() {
    run 0 core/scales "$@"
    cp output expected
    run 0 device/scales "$@"
    cmp -s output expected || fail "differ: $*" expected output
    passed=$((passed + 1))
}

agree
[ "$(cat output)" = "18 21 26 28 " ] || fail "not what it should be" output
agree -p Scale.add=0
agree -p Scale_1.add=-7 -p Scale.gain=3
agree -p Scale.gain=1e3 -p Scale_0.gain=0.25 -p Scale.add=0x10
agree -p Scale.note=more -p Scale.add=2147483647 -p Scale.gain=-0
[ "$(device/scales -p Scale.gain=0 -p Scale.add=1)" = "1 1 1 1 " ] || fail "values that are changed"

# refused OPTION TEXT: status 2, before anything is built.
refused() {
    run 2 device/scales -p "$1"
    expect "$2" messages
    [ ! -s output ] || fail "-p $1: something runs" output
    passed=$((passed + 1))
}
refused Scale.add=5x '"5x" is no int, which the kernel of process Scale_0 takes'
refused Scale_1.add= '"" is no int, which the kernel of process Scale_1 takes'
refused Scale.add=2147483648 '"2147483648" is out of the range of int'
refused Scale.add=-2147483649 'is out of the range of int'
refused 'Scale.add= 5' 'is no int'
refused Scale.add=1.5 'is no int'
refused Scale.gain=1e40 '"1e40" is out of the range of float'
refused Scale.gain=much '"much" is no float'
refused Scale.gain=inf '"inf" is no float'
refused Scale.gain=2001 '"2001" is out of range: it must be from -10 to 2000'
refused Scale_1.gain=-10.5 'it must be from -10 to 2000'
refused Scale.more=1 'process Scale has no parameter more'

# What the network gives is checked when it is synthesised, for every process of the iterator.
refuse "scales.xml:8: error: [parameter-value] process 'Scale_1', parameter 'add': \"2147483648\" is out of" \
    -D add=2147483647 scales.xml machine.xml device.xml

# On a core instead of the device: the fallback's parameters are texts, as ever.
synthesise -o fallback scales.xml machine.xml fallback.xml
agree_with_fallback() {
    run 0 core/scales "$@"
    cp output expected
    OCL_ICD_VENDORS=/nowhere run 0 fallback/scales "$@"
    cmp -s output expected || fail "the fallback differs: $*" expected output messages
    passed=$((passed + 1))
}
agree_with_fallback
agree_with_fallback -p Scale_1.add=-7 -p Scale.gain=3

# A new value needs no new build: one text, whatever the values are.
synthesise -o again -D add=9 scales.xml machine.xml device.xml
cmp -s device/Scale.cl again/Scale.cl || fail "the text of the kernel depends on a value"
grep -q 'ulong dal__offset_out, float gain, int add)' device/Scale.cl || fail "the arguments" device/Scale.cl

# The example of the manual, on both of its mappings.
for mapping in cores opencl; do
    synthesise -o hello "$source/apps/hello/hello.xml" machine.xml "$source/apps/hello/map-$mapping.xml"
    run 0 hello/hello -p Square.add=7 -p Producer.pairs=2
    [ "$(head -n 5 output | tr '\n' ' ')" = "7 8 11 16 23 " ] || fail "hello on $mapping" output
    passed=$((passed + 1))
done
echo "$passed checks"
