#!/usr/bin/env bash
# Cores beside a device in one binding take part as the device that is made of them: the bytes are those on cores alone and on
# a device alone. Where that cannot be, dalsynth says what to do.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

POCL_DEVICES=$(two_devices)
[ -n "$POCL_DEVICES" ] || skip "no two OpenCL devices"
export POCL_DEVICES
"$dalinfo" --architecture -o machine.xml
cores=$(grep -o 'name="core_[0-9]*" type' machine.xml | sed 's/name="\(.*\)" type/<processor name="\1"\/>/' | tr -d '\n')

cat >source.c <<'END_C'
#include <dal.h>
struct _local_states { int32_t sent; };
int Source_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->sent, 4, p);
    return ++p->local->sent == 20000;
}
END_C
cat >work.c <<'END_C'
#include <dal.h>
int work_fire(DALProcess *p)
{
    DAL_WINDOW const int *in = DAL_read_begin(PORT_in, 4, 1, p);
    DAL_WINDOW int *out = DAL_write_begin(PORT_out, 4, 1, 1, 0, p);
    DAL_foreach (k : PORT_out)
        *out = *in % 1000 * 31 + *in / 7;
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}
END_C
cat >sink.c <<'END_C'
#include <dal.h>
int Sink_fire(DALProcess *p) { int x; DAL_read(PORT_in, &x, 4, p); DAL_printf("%d\n", x); return 0; }
END_C
cat >chain.xml <<'END_XML'
<processnetwork name="chain">
  <process name="Source" source="source.c"/>
  <process name="Work" source="portable:work.c work.c" stateless="true"/>
  <process name="Sink" source="sink.c"/>
  <channel from="Source.out" to="Work.in" type="int"/>
  <channel from="Work.out" to="Sink.in" type="int"/>
</processnetwork>
END_XML

target=''
work_on() { # SOURCE PROCESSOR [ELEMENTS]
    mapping "* - core_0" "Work $1 $2 <!-- -->${3:-}$target" >mapping.xml
}

# same WHAT: the program of mapping.xml prints what the cores print
same() {
    synthesise --explain -o program chain.xml machine.xml mapping.xml
    DAL_STATS=./stats.json run 0 program/chain --strict
    [ -e expected ] || mv output expected
    [ "$1" = cores ] || cmp output expected || fail "$1: other bytes" output expected
    echo "same: $1"
}
both='"process": "Work",.*{"on": "device_0", "firings": [1-9].*{"on": "device_1", "firings": [1-9]'
told="note: [cores-device] binding 'b2': its cores take part as device 'device_1', which is made of them"
work_on 0 'core_*'
same cores
[ "$(wc -l <expected)" = 20000 ] || fail "results are missing" expected
work_on 0 device_0
same device_0
! grep cores-device made || fail "a device alone is none of the cores"
target='<target shadowcopies="16"/>' # so that there is something to deal
for way in "core_* <processor name=\"device_0\"/>" "device_0 $cores"; do
    work_on 0 "${way%% *}" "${way#* }"
    same "$way"
    [ "$(grep -cF "mapping.xml:3: $told" made)" = 1 ] || fail "$way: not told once" made
    grep "Work" stats.json;     grep -q "$both" stats.json || fail "$way: not on both devices" stats.json
done

# The mapping that dalmap writes has the devices, and another reading of it finds nothing to tell.
grep -v 'name="b1"' mapping.xml >kept.xml
echo '{"Source": 1000, "Work": 1000, "Sink": 1000}' >times.json
run 0 "$build/synth/dalmap" --times=times.json --pin='S*=core_0' --keep=kept.xml -o mapped.xml chain.xml machine.xml
run 0 "$dalsynth" --check --explain chain.xml machine.xml mapped.xml
expect 'Work     device_0,device_1  opencl' output
! grep cores-device messages || fail "dalmap left cores in it" messages

refuse_work() { # TEXT SOURCE PROCESSOR [ELEMENTS]
    work_on "${@:2}"
    refuse "error: [one-device] binding 'b2': process 'Work' is bound to devices and to cores ('core_0'); $1" \
        chain.xml machine.xml mapping.xml
    echo "refused: $1"
}
device='<processor name="device_0"/>'
refuse_work "it has one form wherever it runs, and devices run no C" 1 'core_*' "$device"
refuse_work "leave the cores out, since all of them are 'device_0'" 0 'core_*' "$device<processor name=\"device_1\"/>"
grep -v '^</' machine.xml >more.xml
echo '<processor name="core_99" type="RISC"><capability name="POSIX" identifier="99"/></processor></architecture>' >>more.xml
mv more.xml machine.xml
refuse_work "cores take part all together, and missing is 'core_99'" 0 device_0 "$cores"
expect "note: 'dalinfo --architecture --opencl-on-cores' makes each core a device by itself" messages
sed -i 's/"CPU_/"GPU_/' machine.xml
refuse_work "cores take part as a device that is made of them, and the architecture has none" 0 'core_*' "$device"
