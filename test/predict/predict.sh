#!/usr/bin/env bash
# What dalsynth --explain predicts from a file of times: periods that can be said by hand, and the order of mappings as
# the runtime has it. Processes that sleep need no core for themselves, so other programs do not change that order.
set -euo pipefail

. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
tokens=40 # in a run

cat >begin.c <<'END'
#include "dal.h"
#include <time.h>
struct _local_states { int next; };
int Begin_fire(DALProcess *p)
{
    struct timespec nap = {0, 5000000};
    nanosleep(&nap, NULL);
    DAL_write(PORT_out, &p->local->next, sizeof(int), p);
    return ++p->local->next == TOKENS;
}
END
napping work 10000000 >work.c
cat >end.c <<'END'
#include "dal.h"
int End_fire(DALProcess *p)
{
    int token;
    DAL_read(PORT_in, &token, sizeof(token), p);
    return token == TOKENS - 1;
}
END

process() { # NAME SOURCE PORT...: ports are in or out
    local port
    echo "<process name=\"$1\">"
    for port in "${@:3}"; do
        echo "<port type=\"${port}put\" name=\"$port\"/>"
    done
    case $2 in
    *.cl) echo "<source type=\"opencl\" location=\"$2\"/></process>" ;;
    *) echo "<source type=\"c\" location=\"$2\" cflags=\"-DTOKENS=$tokens\"/></process>" ;;
    esac
}

channel() { # FROM TO [ATTRIBUTES]
    local attributes=${3:-'tokensize="4"'}
    cat <<END
<sw_channel type="fifo" name="$1_$2" size="${size:-4}" $attributes>
  <port type="input" name="in"/><port type="output" name="out"/></sw_channel>
<connection name="$1_c"><origin name="$1"><port name="out"/></origin>
  <target name="$1_$2"><port name="in"/></target></connection>
<connection name="c_$2"><origin name="$1_$2"><port name="out"/></origin>
  <target name="$2"><port name="in"/></target></connection>
END
}

network() {
    echo '<processnetwork name="naps">'
    process Begin begin.c out
    process First work.c in out
    process Second work.c in out
    process End end.c in
    channel Begin First
    channel First Second
    channel Second End
    echo '</processnetwork>'
}

# mapping NAME PROCESSOR...: of Begin, First, Second and End
mapping() {
    local process i=1 attribute
    echo "<mapping name=\"$1\" processnetwork=\"naps\">"
    for process in Begin First Second End; do
        i=$((i + 1))
        attribute=${!i}
        echo "<binding name=\"b$process\"><process name=\"$process\"/>"
        printf '<processor name="%s"/>' ${attribute//,/ }
        echo "</binding>"
    done
    echo "</mapping>"
}

# predict MAPPING: what is said of it goes to `said`
predict() {
    "$dalsynth" --check --explain --times=times.json network.xml machine.xml "$1.xml" >said 2>log ||
        fail "dalsynth $1" log
}

# says TEXT: spaces in it are any number of them
says() {
    grep -qE -e "${1// / +}" said || fail "$mapping: missing: $1" said
    passed=$((passed + 1))
}

cat >machine.xml <<'END'
<architecture name="three">
  <processor name="core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>
  <processor name="core_1" type="RISC"><capability name="POSIX" identifier="0"/></processor>
  <processor name="core_2" type="RISC"><capability name="POSIX" identifier="0"/></processor>
  <processor name="device_0" type="GPU">
    <capability name="OPENCL" identifier="GPU_DEV1" memory="own" computeunits="64"/></processor>
</architecture>
END
network >network.xml
mapping one core_0 core_0 core_0 core_0 >one.xml
mapping two core_0 core_1 core_1 core_0 >two.xml
mapping spread core_0 core_1 core_2 core_0 >spread.xml

# ---- by hand: 1 + 2 + 2 ms on one core, 4 ms of both on core_1, 2 ms with a core for each
echo '{"Begin": 1000000, "First": 2000000, "Second": 2000000, "End": 0}' >times.json
mapping=one
predict one
says 'predicted: 5 ms an iteration, 200 iterations/s; what limits it: core_0'
says 'core_0 100 % Begin 20 %, First 40 %, Second 40 %, End 0 %'
mapping=two
predict two
says 'predicted: 4 ms an iteration, 250 iterations/s; what limits it: core_1'
says 'core_0 25 % Begin 25 %, End 0 %'
says 'core_1 100 % First 50 %, Second 50 %'
says 'Begin_First 4.0 4$'
mapping=spread
predict spread
says 'predicted: 2 ms an iteration, (500|499.9) iterations/s; what limits it: core_[12]'
says 'core_2 100 % Second 100 %'

# ---- several cores: as many as the longest process leaves of use, if it fires once at a time
mapping several core_0,core_1,core_2 core_0,core_1,core_2 core_0,core_1,core_2 core_0,core_1,core_2 >several.xml
mapping=several
predict several
says '^core_0 and 2 more: 3 of 3 cores are of use$'
echo '{"Begin": 3000000, "First": 2000000, "Second": 500000, "End": 0}' >times.json
predict several
says '^core_0 and 2 more: 2 of 3 cores are of use, since Begin fires once at a time and has 5[0-9] % of the work$'

# ---- copies have room for what an activation may take: 200 us of two; without measured times, what fits the cache
cat >copies.xml <<'END'
<processnetwork name="copies">
  <process name="Begin" source="begin.c" cflags="-DTOKENS=10"/>
  <process name="First" source="work.c" stateless="true" executiontime="100000"/>
  <process name="End" source="end.c" cflags="-DTOKENS=10"/>
  <channel from="Begin.out" to="First.in" tokensize="4"/>
  <channel from="First.out" to="End.in" tokensize="4"/>
</processnetwork>
END
cat >copies-two.xml <<'END'
<mapping name="two"><binding name="b"><process name="*"/><processor name="core_0"/><processor name="core_1"/></binding></mapping>
END
mapping=copies
echo '{"Begin": 1000, "First": 100000, "End": 1000}' >times.json
for times in '' --times=times.json; do
    "$dalsynth" --check --explain $times copies.xml machine.xml copies-two.xml >>rooms 2>log || fail "dalsynth $times" log
done
mv rooms said
says 'First 8 x 4096 firings'
says 'First 8 x 3 firings'

# What sets the limit elsewhere leaves the cores of First little to do.
echo '{"Begin": 10000, "First": 1000, "End": 0}' >times.json
cat >copies-apart.xml <<'END'
<mapping name="apart"><binding name="a"><process name="Begin"/><processor name="core_0"/></binding>
  <binding name="b"><process name="First"/><processor name="core_1"/><processor name="core_2"/></binding>
  <binding name="c"><process name="End"/><processor name="core_0"/></binding></mapping>
END
"$dalsynth" --check --explain --times=times.json copies.xml machine.xml copies-apart.xml >said 2>log || fail "dalsynth apart" log
says '^core_1 and 1 more: 1 of 2 cores are of use, since the limit is core_0$'

# Without times, no more than fire at once.
mapping several core_0 core_1,core_2 core_0 core_0 >apart.xml
for one in several apart; do
    "$dalsynth" --check --explain network.xml machine.xml $one.xml >>at_once 2>log || fail "dalsynth without times" log
done
mv at_once said
says '^core_0 and 2 more: at most 3 of 3 cores are of use$'
says '^core_1 and 1 more: at most 1 of 2 cores are of use, since no more fire at once$'
echo '{"Begin": 1000000, "First": 2000000, "Second": 2000000, "End": 0}' >times.json

# ---- room for one token: First and Second take turns, and sleep meanwhile
size=1 network >network.xml
predict spread
says 'predicted: 4.04 ms an iteration'
says 'what limits it: capacities, cycles'
network >network.xml

# ---- costs of the machine, which hold for all cores: an activation of 3 ms, then tokens that take 10 ms
sed 's|</architecture>||' machine.xml >plain.xml
cost() { # ATTRIBUTES: of the machine
    cat plain.xml - >machine.xml <<END
<measured at="$(date -u +%Y-%m-%dT%H:%M:%SZ)" by="a test" cores="00112233445566778899aabbccddeeff"
  devices="00112233445566778899aabbccddeeff"><cost $1/></measured></architecture>
END
}
cost 'of="firing" on="core_1" latency="3ms"'
mapping=spread
predict spread
says 'predicted: 7 ms an iteration.*what limits it: core_0' # Begin 1 + 3, End 0 + 3: an activation ends after 200 us
cost 'of="token" from="core_1" to="core_2" latency="10ms" bandwidth="1GB/s"'
predict spread
says 'predicted: 6(.0[0-9]*)? ms an iteration' # four tokens, one by one, in 2 + 10 + 2 + 10
{ cat plain.xml && echo '</architecture>'; } >machine.xml

# ---- how long an iteration takes: each of four in the channels waits for those before it, then for its own 2 + 2 ms
mapping=two
predict two
says 'an iteration, from Begin to End: [0-9.]+ ms, at most [0-9.]+ ms$'
size=1 network >network.xml
mapping=one
predict one
says 'an iteration, from Begin to End: 5 ms, at most 5 ms$'
network >network.xml

# ---- on a device: uploads of 1 MB at 1 GB/s; then a group, one of whose rounds is two firings of First
cat >first.cl <<'END'
__kernel void First(__global const uchar *in, __global uchar *out) { out[get_group_id(0)] = in[0]; }
END
cat >second.cl <<'END'
__kernel void Second(__global const uchar *in, __global uchar *out) { out[get_group_id(0)] = in[0]; }
END
device_network() { # ATTRIBUTES of the first channel, and of the second one
    echo '<processnetwork name="naps">'
    process Begin begin.c out
    process First first.cl in out
    process Second second.cl in out
    process End end.c in
    channel Begin First "$1"
    channel First Second "$2"
    channel Second End 'tokensize="1"'
    echo '</processnetwork>'
}
device_network 'tokensize="1000000"' 'tokensize="1"' >network.xml
mapping device core_0 device_0 device_0 core_0 >device.xml
echo '{"Begin": 100, "First": 100, "Second": 100, "End": 100}' >times.json
cost 'of="upload" on="device_0" latency="1us" bandwidth="1GB/s"'
mapping=device
predict device
says 'predicted: 1(.00[0-9]*)? ms an iteration.*what limits it: uploads to device_0'
says 'Begin_First (4.0|3.[0-9]) 4$' # a token that is in both memories is one
cost 'of="upload" on="device_0" latency="1us" bandwidth="4GB/s"'
predict device
says 'predicted: 25[0-9](.[0-9]*)? us an iteration'
cat plain.xml - >machine.xml <<<'</architecture>'
device_network 'tokensize="1"' 'tokensize="1" tokenratein="2"' >network.xml
echo '{"Begin": 0, "First": 1000000, "Second": 1000000, "End": 0}' >times.json
predict device
grep -q "^launched as one on device_0" said || fail "no group" said
says 'predicted: 3(.[0-9]*)? ms an iteration.*what limits it: device_0'

# ---- a device of 132 units, on which a launch of up to 132 firings takes 110 us, as it does with one. Launches of First
# have 33 firings. A file that has one number a firing knows nothing of that.
sed 's|computeunits="64"|computeunits="132"|' plain.xml >machine.xml
echo '</architecture>' >>machine.xml
size=132 device_network 'tokensize="1"' 'tokensize="1"' | sed 's|<process name="First"|& shadowcopies="33"|' >network.xml
mapping first core_0 device_0 core_0 core_0 >first.xml
sed -i 's|<source type="opencl" location="second.cl"/>|<source type="c" location="work.c"/>|' network.xml
timed() { # CURVE: of First, which was timed with 2 firings a launch, 55 us each
    local ns='"ns": {"mean": 0, "p10": 0, "median": 0, "p99": 0}' process
    echo '{"dal-times": 2, "times": ['
    for process in Begin Second End; do
        echo "{\"process\": \"$process\", \"type\": \"c\", \"on\": \"core\", $ns},"
    done
    echo "{\"process\": \"First\", \"type\": \"opencl\", \"on\": \"GPU_DEV1\", ${ns//: 0/: 55000}${1-}}]}"
}
mapping=first
timed >times.json
predict first
says 'predicted: 55\.[0-9]+ us an iteration.*what limits it: device_0'
# It is measured up to 132 firings; up to 2; and with one launch that was held up.
for curve in '[1, 1, 110000, 5, 660, 550000]' '[10, 10, 1100000, 10, 20, 1100000]' '[1, 1, 220000, 99, 13068, 10780000]'; do
    timed ", \"curve\": $curve" >times.json
    predict first
    says 'predicted: 3\.[45][0-9]* us an iteration.*what limits it: device_0' # 110 us and a launch's 4, by 33
done
timed ', "curve": [1, 2, 110000]' >times.json # one size is one number
predict first
says 'predicted: 55\.[0-9]+ us an iteration.*what limits it: device_0'
# S for launches of 10 ms: of 132 units, not of one number a firing.
timed >times.json
sed 's| shadowcopies="33"||; s|size="132"|size="40000"|' network.xml >open.xml
chosen() { # S
    "$dalsynth" --check --explain --times=times.json open.xml machine.xml first.xml >said 2>log || fail "dalsynth first" log
    says "^First .* $1 "
}
chosen 264
timed ', "curve": [1, 1, 110000, 1, 132, 110000]' >times.json
chosen 10000
# Launched as one, each round takes what both do.
size=132 device_network 'tokensize="1"' 'tokensize="1"' |
    sed 's|<process name="\(First\|Second\)"|& shadowcopies="33"|' >network.xml
timed ', "curve": [1, 1, 110000, 1, 132, 110000]' |
    sed 's|.*"Second".*|{"process": "Second", "type": "opencl", "on": "GPU_DEV1", "ns": {"mean": 0, "p10": 0, "median": 0, "p99": 0},\
        "curve": [2, 4, 440000, 1, 132, 220000]},|' >times.json
predict device
grep -q "^launched as one on device_0" said || fail "no group" said
says 'predicted: 5\.06[0-9]* us an iteration.*what limits it: device_0' # 4 us, 110 and 220, by 66 rounds
cat plain.xml - >machine.xml <<<'</architecture>'

# ---- bytes of a channel that takes turns on two devices: of a block of four tokens the last one goes to the host and
# back, or comes back from what is there for another reader
cat plain.xml - >machine.xml <<'END'
  <processor name="device_1" type="GPU">
    <capability name="OPENCL" identifier="GPU_DEV2" memory="own" computeunits="64"/></processor>
</architecture>
END
device_network 'tokensize="1"' 'tokensize="8" initialtokens="1"' |
    sed 's/<process name="\(First\|Second\)"/& shadowcopies="4"/' >network.xml
mapping dealt core_0 device_0,device_1 device_0,device_1 core_0 >dealt.xml
mapping=dealt
predict dealt
says '^First_Second device 8 4 4 0 '
sed -i 's|</processnetwork>|<process name="Also"><port type="input" name="in"/><source type="c" location="end.c"/></process>\
  <channel from="First.out" to="Also.in" tokensize="8"/>&|' network.xml
sed -i 's|</mapping>|<binding name="also"><process name="Also"/><processor name="core_0"/></binding>&|' dealt.xml
predict dealt
says '^First_Second device 8 2 6 0 '
says '^First.out-Also.in staged 8 8 0 0 '
cat plain.xml - >machine.xml <<<'</architecture>'
mapping=device

# ---- a device that is made of the three cores: each loses a millisecond of each launch's
sed 's|identifier="GPU_DEV1" memory="own" computeunits="64"|identifier="CPU_DEV1" memory="unified" computeunits="3"|' plain.xml >machine.xml
echo '</architecture>' >>machine.xml
device_network 'tokensize="1"' 'tokensize="1"' >network.xml
echo '{"Begin": 1000000, "First": 1000000, "Second": 0, "End": 0}' >times.json
predict device
says 'predicted: 2(.[0-9]*)? ms an iteration.*what limits it: core_0'
says 'device_0 (49|50|51) % '
sed 's|</processnetwork>|<latency from="Begin" to="End" max="1s"/>&|' network.xml >promised.xml
run 0 "$build/synth/dalsynth" --check --times=times.json promised.xml machine.xml device.xml
expect "warning: [latency] processor 'device_0', which has 'First', is made of the cores that have 'Begin'" messages
# Two firings a launch: a core has 2 ms, 2 ms of the device, and its third of the 6 ms of one thread that launches.
cost 'of="launch" on="device_0" latency="6ms"'
sed -i 's|identifier="GPU_DEV1" memory="own" computeunits="64"|identifier="CPU_DEV1" memory="unified" computeunits="3"|' machine.xml
predict device
says 'predicted: 4 ms an iteration.*what limits it: device_0'
says 'core_0 75 % '
# A launch that takes as long for two firings as for one takes the cores for 1 ms only, and not for 2.
{
    echo '{"dal-times": 2, "times": ['
    for process in Begin First Second End; do
        ns=$([[ $process =~ Begin|First ]] && echo 1000000 || echo 0)
        type=$([[ $process =~ First|Second ]] && echo '"opencl", "on": "CPU_DEV1"' || echo '"c", "on": "core"')
        echo "{\"process\": \"$process\", \"type\": $type, \"ns\": {\"mean\": $ns, \"p10\": $ns, \"median\": $ns, \"p99\": $ns}"
        [ $process != First ] || echo ', "curve": [1, 1, 1000000, 1, 2, 1000000]'
        [ $process = End ] || echo '},'
    done
    echo '}]}'
} >times.json
predict device
says 'predicted: 3.5 ms an iteration.*what limits it: device_0'
says 'core_0 71 % '
{ cat plain.xml && echo '</architecture>'; } >machine.xml
network >network.xml

# ---- without all times there is none, and without any nobody asks
echo '{"Begin": 1000000, "Second": 2000000}' >times.json
mapping=one
predict one
says 'no prediction: the times of these are not known: First, End$'
"$dalsynth" --check --explain network.xml machine.xml one.xml >said
! grep -q predict said || fail "predicts without times" said

# ---- the runtime has the same order, with times that it has measured itself
export CFLAGS=-O1 # of times, too
run_one() { # MAPPING: sets `took`, in ms
    local began
    [ -e "$1/naps" ] || synthesise -o "$1" network.xml machine.xml "$1.xml"
    began=$(date +%s%N)
    run 0 env DAL_TIMES="times-$1.json" "$1/naps"
    took=$((($(date +%s%N) - began) / 1000000))
}

predicted() { # MAPPING TIMES: the period in us
    "$dalsynth" --check --explain --times="$2" network.xml machine.xml "$1.xml" 2>log |
        awk '/^predicted:/ { print int($2 * ($3 == "s" ? 1e6 : $3 == "ms" ? 1000 : $3 == "us" ? 1 : 0.001)) }'
}

# Where it is half of the time, as predicted, another program does not hide it for ever.
compare() {
    local mapping
    local -A ran
    for _ in 1 2 3; do
        for mapping in one two spread; do
            run_one "$mapping"
            echo "$mapping: $tokens iterations took $took ms"
            ran[$mapping]=$took
        done
        [ "${ran[one]}" -le "${ran[spread]}" ] || [ "${ran[two]}" -le "${ran[spread]}" ] || return 0
    done
    return 1
}

compare || fail "the order of the mappings"
one=$(predicted one times-one.json) two=$(predicted two times-one.json) spread=$(predicted spread times-one.json)
[ "$one" -gt "$two" ] && [ "$two" -gt "$spread" ] && [ "$spread" -gt 0 ] || fail "the order is not: $one, $two, $spread us"
echo "predicted from the times of the first: $one, $two, $spread us"
echo "$passed texts, and an order of three mappings"
