#!/usr/bin/env bash
# Groups that nobody asks for, of kernels whose words pass in registers: dalmap looks for them until sources tell
# otherwise, and --advice has those of the plan. No device is needed.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
dalmap=$build/synth/dalmap

cat >begin.c <<'END'
#include "dal.h"
int Begin_fire(DALProcess *p) { float t[16] = {0}; DAL_write(PORT_out, t, sizeof(t), p); return 0; }
END
cat >end.c <<'END'
#include "dal.h"
int End_fire(DALProcess *p) { float t[16]; DAL_read(PORT_in, t, sizeof(t), p); return 0; }
END
cat >scale.c <<'END'
#include "dal.h"
int scale_fire(DALProcess *p)
{
    float t[16];
    DAL_read(PORT_in, t, sizeof(t), p);
    for (int i = 0; i < 16; i++)
        t[i] *= 2;
    DAL_write(PORT_out, t, sizeof(t), p);
    return 0;
}
END
kernel() { # INDEX
    echo '__kernel void scale(__global const float *in, __global float *out)'
    echo "{ size_t i = get_global_id(0); out[i] = 2 * in[$1]; }"
}

# Channels leave a launch two firings, so that launches cost more than what they do.
{
    echo '<processnetwork name="kernels">'
    echo '<process name="Begin" stateless="false"><port type="output" name="out"/><source type="c" location="begin.c"/></process>'
    last=Begin
    for i in 0 1 2 3; do
        echo "<process name=\"Scale_$i\" stateless=\"false\"><port type=\"input\" name=\"in\"/><port type=\"output\" name=\"out\"/>"
        [ $i -gt 0 ] || echo '<source type="c" location="scale.c"/>'
        echo '<source type="opencl" location="scale.cl" dataparallelism="16"/></process>'
        channel "c$i" $last out "Scale_$i" in 'tokensize="64" size="8"'
        last=Scale_$i
    done
    echo '<process name="End" stateless="false"><port type="input" name="in"/><source type="c" location="end.c"/></process>'
    channel last $last out End in 'tokensize="64" size="8"'
    echo '</processnetwork>'
} >kernels.xml
DAL_TEST_KIND=GPU architecture core device >machine.xml
echo '{"Begin": 3000, "End": 3000, "Scale_0": 2000, "Scale_1": 100, "Scale_2": 100, "Scale_3": 100}' >times.json
DAL_TEST_KIND=GPU architecture core other device >more.xml
mapping 'Begin 0 core' 'End 0 core' 'Scale_0 1 device' 'Scale_[123] - device' >alone.xml
mapping 'Begin 0 other' 'End 0 core' 'Scale_0 1 device' 'Scale_[123] - device' >moved.xml

# scale_0 INDEX: where the search puts Scale_0; dalsynth predicts as it does
scale_0() {
    kernel "$1" >scale.cl
    run 0 "$dalmap" --times=times.json -o map.xml kernels.xml machine.xml
    "$dalsynth" --check --explain --times=times.json kernels.xml machine.xml map.xml >out 2>messages || fail 'refused' messages
    cmp <(sed -n 's/^ *Predicted: \([^,]*\),.*/\1/p' map.xml) <(sed -n 's/^predicted: \([^,]*\),.*/\1/p' out) ||
        fail 'other predictions' out
    place=$(sed -n '/<process name="Scale_0"/{n;s/.*name="\([^"]*\)".*/\1/p}' map.xml)
}

# explained MAPPING ARGUMENT...: the plan on two cores and the device, with slower ends
explained() {
    "$dalsynth" --check --explain "${@:2}" --times=slow.json kernels.xml more.xml "$1" >out 2>messages || fail "$1 is refused" messages
}

# advised: the period that --advice gives for Begin on another core is that of the mapping which does it
advised() {
    explained alone.xml --advice
    period=$(sed -n 's/^Begin to other  *\([^ ]* [^ ]*\) .*/\1/p' out)
    [ -n "$period" ] || fail 'Begin is not moved' out
    explained moved.xml
    expect "predicted: $period an iteration" out
}

sed 's/3000/6000/g' times.json >slow.json
scale_0 i
[ "$place" = device ] || fail "not in the group: on $place" map.xml
advised
expect 'launched as one on device: Scale_0, Scale_1, Scale_2, Scale_3' out

scale_0 'i ^ 1'
[ "$place" = core ] || fail "a launch of its own is slower: on $place" map.xml
sed 's/"Begin": 6000/"Begin": 20000/' slow.json >slower.json && mv slower.json slow.json # what launches cost is less
advised
! grep -q 'launched as one' out || fail 'a group that cannot be' out

echo "a group is found, and counted on in advice; neither where it cannot be"
