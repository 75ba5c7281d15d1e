#!/usr/bin/env bash
# A run beside what was predicted (dalsynth --explain --measured): numbers that can be said by hand, runs whose
# statistics are read, what is told of where they differ, bytes as the runtime counts them; files that are of something
# else, or of nothing.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cat >begin.c <<'END'
#include "dal.h"
struct _local_states { int next; };
int Begin_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->next, sizeof(int), p);
    return ++p->local->next == 40;
}
END
cat >work.c <<'END'
#include "dal.h"
#include <stdlib.h>
#include <time.h>
int Work_fire(DALProcess *p)
{
    struct timespec nap = {0, 1000000 * atol(DAL_getParameter("ms", p))};
    int token;
    if (nap.tv_nsec)
        nanosleep(&nap, NULL);
    DAL_read(PORT_in, &token, sizeof(token), p);
    DAL_write(PORT_out, &token, sizeof(token), p);
    return 0;
}
END
cat >work.cl <<'END'
__kernel void Work(__global const int *in, __global int *out)
{
    out[get_group_id(0)] = in[get_group_id(0)];
}
END
cat >end.c <<'END'
#include "dal.h"
int end_fire(DALProcess *p)
{
    int token;
    DAL_read(PORT_in, &token, sizeof(token), p);
    return 0;
}
END
cat >network.xml <<END
<processnetwork name="naps">
  <process name="Begin"><port type="output" name="out"/><source type="c" location="begin.c"/></process>
  <process name="Work" shadowcopies="2"><port type="input" name="in"/><port type="output" name="out"/>
    <parameter name="ms" value="0"/>
    <source id="0" type="c" location="work.c"/><source id="1" type="opencl" location="work.cl"/></process>
  <process name="End"><port type="input" name="in"/><source type="c" location="end.c"/></process>
  <process name="Also"><port type="input" name="in"/><source type="c" location="end.c"/></process>
  $(channel there Begin out Work in 'size="4"')
  $(channel back Work out End in 'size="4"')
  $(channel aside Begin out Also in 'size="4"' | sed 's/name="to_aside"/name="to_also"/')
</processnetwork>
END
architecture core_0 core_1 device_0 >machine.xml
mapping "Begin - core_0" "Work 0 core_1" "End - core_0" "Also - core_0" >two.xml
echo '{"Begin": 1000, "Work": 5000000, "End": 1000, "Also": 1000}' >times.json

# compare STATUS STATS MAPPING OPTION...: what is said goes to `said`, and of what is wrong to `log`
compare() {
    local wanted=$1 status=0
    "$dalsynth" --check --explain --times=times.json --measured="$2" network.xml machine.xml "$3.xml" >said 2>log || status=$?
    [ "$status" -eq "$wanted" ] || fail "$2 and $3: exit status $status" log said
}

# says EXPRESSION: spaces in it are any number of them
says() {
    grep -qE -e "${1// / +}" said || fail "missing: $1" said
    passed=$((passed + 1))
}

# ---- bytes without a run --------------------------------------------------------------------------

"$dalsynth" --check --explain network.xml machine.xml two.xml >said
says '^there cores 4 0 4 0 -$'
says 'of 12 bytes 12 are in place, 0 are copied'

# On a device with its own memory tokens are copied to it and back, and not where all is on one core.
sed 's/identifier="CPU_DEV1"/identifier="GPU_DEV1" memory="own"/' machine.xml >gpu.xml
mapping "Begin - core_0" "Work 1 device_0" "End - core_0" "Also - core_0" >gpu-mapping.xml
"$dalsynth" --check --explain network.xml gpu.xml gpu-mapping.xml >said 2>log || fail "on a device of its own" log
says '^there staged 4 4 0 0 device_0 has its own memory, apart from core_0'
says '^aside core 4 0 4 0 -$'
says 'of 12 bytes 4 are in place, 8 are copied, 0 are sent'
says '^the one change that saves most of what is moved: Work to core_0; 8 bytes an iteration less$'
! "$dalsynth" --check --explain network.xml machine.xml two.xml | grep -q '^the one change' || fail "nothing is moved"

# ---- numbers by hand ------------------------------------------------------------------------------

# process NAME PROCESSOR FIRINGS BUSY FIRST LAST
process() {
    echo "{\"process\": \"$1\", \"type\": \"c\", \"planned\": [\"$2\"], \"on\": [\"$2\"], \"key\": \"\", \"copies\": 1,
        \"firings\": $3, \"firing_ns\": $4, \"busy_ns\": $4, \"device_ns\": 0, \"starved_ns\": 0, \"blocked_ns\": 0, \"first_ns\": $5, \"last_ns\": $6}"
}
# through NAME FROM TO TOKEN-WAIT SPACE-WAIT
through() {
    echo "{\"channel\": \"$1\", \"from\": {\"process\": \"$2\", \"port\": \"out\"}, \"to\": {\"process\": \"$3\", \"port\": \"in\"},
        \"kind\": \"${kind:-cores}\", \"token_bytes\": 4, \"rate_in\": 1, \"rate_out\": ${rate:-1}, \"initial_tokens\": 0,
        \"capacity\": 4, \"tokens\": 1000, \"bytes_copied\": 0, \"bytes_in_place\": 4000, \"token_waits\": 1,
        \"token_wait_ns\": $4, \"space_waits\": 1, \"space_wait_ns\": $5}"
}
# statistics: of 1000 iterations in 10 s; Work took half of that
statistics() {
    echo "{\"dal-stats\": 1, \"version\": \"x\", \"network\": \"${network:-naps}\", \"wall_ns\": 11000000000, \"unknown\": [{\"x\": 1}],
        \"processes\": [$(process Begin core_0 1000 1000000 0 10000000000), $(process Work core_1 1000 "${busy:-5000000000}" 0 10000000000),
        $(process End core_0 1000 1000000 0 10000000000), $(process Also core_0 1000 1000000 0 10000000000)],
        \"channels\": [$(through there Begin Work "${token:-4000000000}" "${space:-0}"),
        $(through back Work End 9000000000 0), $(kind=core through aside Begin Also 0 0)], \"flows\": []}"
}
statistics >hand.json
compare 0 hand.json two
says '^predicted: 5 ms an iteration'
says '^measured: 10 ms an iteration, (100|99.9).* % longer than predicted$'
says '^Begin 10 ms 5 ms 1 us 1 us 0 % 0 % 0 % 0 % '
says '^Work 10 ms 5 ms 5 ms 5 ms 50 % 100 % 40 % 0 % it waits for tokens of there$'
says '^aside core 0 0 4 4 0 0 as predicted$'
token=100 busy=9900000000 statistics >longer.json
compare 0 longer.json two
says '^the most of that: firings of Work, which take 4.9 ms an iteration more$'
says '^Work .* 9.9 ms 5 ms 99 % 100 % 0 % 0 % its firings take longer than before'
token=4000000000 space=5000000000 statistics >both.json
compare 0 both.json two
says '^Work .* Begin and Work wait for each other at there: a small capacity, or slow to wake$'
token=100 statistics >neither.json
compare 0 neither.json two
says '^Work .* no channel made it wait'
kind=staged statistics >kinds.json
compare 0 kinds.json two
says '^there staged .* it was staged: a device is not as'

# ---- on a device: a firing is what it was before in launches of such sizes -----------------------

timed() { # PROCESS PLACE [MEMBER]
    echo "{\"process\": \"$1\", $2, \"ns\": {\"mean\": 1000, \"p10\": 1000, \"median\": 1000, \"p99\": 1000}${3-}}"
}
core='"type": "c", "on": "core"'
echo "{\"dal-times\": 2, \"times\": [$(timed Begin "$core"), $(timed End "$core"), $(timed Also "$core"),
    $(timed Work '"type": "opencl", "on": "GPU_DEV1"' ', "curve": [1, 1, 110000, 1, 132, 110000]')]}" >measured-times.json
cp times.json kept-times.json
cp measured-times.json times.json
busy=3300000 statistics | sed '/"Work"/s/core_1/device_0/g; s/"Work", "type": "c"/"Work", "type": "opencl", "curve": [1, 10, 110000, 30, 990, 3300000]/' >launched.json
"$dalsynth" --check --explain --times=times.json --measured=launched.json network.xml gpu.xml gpu-mapping.xml >said 2>log ||
    fail "launches of a device" log
says '^Work 10 ms [0-9.]* us 3.3 us 3.41 us 0 %'
mv kept-times.json times.json

# ---- of something else ----------------------------------------------------------------------------

refuses() { # FILE LINE CODE WORDS
    compare 1 "$1" two
    grep -q "^$1:$2.*error: \[$3\] .*$4" log || fail "$1: not [$3] $4" log
    passed=$((passed + 1))
}
network=other statistics >other.json
refuses other.json 1: foreign-stats "of process network 'other', not of 'naps'"
sed 's/"Also"/"Else"/g' hand.json >else.json
refuses else.json 6: foreign-stats "has no process 'Else'"
sed 's/core_1/core_0/g' hand.json >bound.json
refuses bound.json 3: foreign-stats "'Work' was bound to core_0, and this mapping binds it to core_1"
rate=2 statistics >rates.json
refuses rates.json '[0-9]*:' foreign-stats "channel 'there' had other ends"
sed 's/"Also"/"Work"/; s/"core_0"\], "on"/"core_1"], "on"/' hand.json >twice.json
refuses twice.json '[0-9]*:' '[a-z]*-stats' .
sed '/"process": "End"/,$s/"process": "Also", "type".*/"process": "End", "type": "c", "planned": ["core_0"], "on": ["core_0"], "key": "", "copies": 1,/' hand.json >again.json
refuses again.json '[0-9]*:' bad-stats "process 'End' is there twice"
python3 - <<'END' 2>/dev/null || cp else.json less.json
import json
stats = json.load(open("hand.json"))
del stats["channels"][2]
json.dump(stats, open("less.json", "w"))
END
refuses less.json '' foreign-stats .
sed 's/"dal-stats": 1/"dal-stats": 2/' hand.json >version.json
refuses version.json 1: bad-stats 'version 2'
echo '{"dal-times": 2}' >no.json
refuses no.json '[0-9]:' bad-stats 'dal-stats is missing'
{ cat hand.json && echo x; } >more.json
refuses more.json '[0-9]*:' bad-stats 'nothing may follow'
sed 's/"firing_ns": 1000000/"firing_ns": -1/' hand.json >negative.json
refuses negative.json 3: bad-stats firing_ns
for curve in '[1, 2, 3, 1, 2, 4]' '[1, -2, 3]' '[1, 2]'; do
    sed "3s/\"last_ns\"/\"curve\": $curve, &/" hand.json >curve.json
    refuses curve.json 3: bad-stats curve
done
sed 's/"first_ns": 0/"first_ns": 1e10/; s/"last_ns": 10000000000/"last_ns": 5/' hand.json >order.json
refuses order.json '[0-9]*:' bad-stats 'ends before it begins'
refuses nowhere.json '' file .
refuses . '' file .
whole=$(cat hand.json)
for ((cut = 0; cut < ${#whole}; cut += 97)); do
    printf '%s' "${whole:0:cut}" >cut.json
    refuses cut.json '[0-9]*:' bad-stats .
done
# Bytes that are others: never anything but an answer or an error.
for ((round = 0; round < 40; round++)); do
    at=$((round * 7919 % ${#whole}))
    printf '%s%b%s' "${whole:0:at}" "\\x$(printf '%02x' $((round * 31 % 255 + 1)))" "${whole:at+1}" >wild.json
    status=0
    "$dalsynth" --check --explain --times=times.json --measured=wild.json network.xml machine.xml two.xml >said 2>log || status=$?
    [ $status -le 1 ] && { [ $status -eq 0 ] || grep -q 'wild.json.*error' log; } || fail "a byte at $at: $status" log
done
for options in "" "--analyze"; do
    status=0
    # shellcheck disable=SC2086 # words
    "$dalsynth" --check $options --measured=hand.json network.xml machine.xml two.xml >said 2>log || status=$?
    [ $status -eq 2 ] || fail "$options --measured: exit status $status" log
done

# ---- runs -----------------------------------------------------------------------------------------

# Work sleeps for 2 ms, though the file of times says 5 ms, or 0.1 ms.
synthesise -o two network.xml machine.xml two.xml
DAL_STATS=two.json run 0 two/naps -p Work.ms=2
compare 0 two.json two
says '^Work .* its firings are shorter than before'
says '^there cores 0 0 4 4 0 0 as predicted$'
sed -i 's/5000000/100000/' times.json
compare 0 two.json two
says '^the most of that: firings of Work, which take'
says '^Work .* its firings take longer than before'
echo '/* more */' >>end.c
compare 0 two.json two
grep -q "two.json:[0-9]*: warning: \[stale-stats\] process 'End' ran with another source" log || fail "no word of a change" log
says '^End .* its source has changed since$'

# Bytes as the runtime counts them, where each way of moving them is asked for.
if "$dalinfo" --architecture >here.xml && has_device here.xml; then
    for kind in staged naive unified; do
        wish="<channel name=\"*e*\" kind=\"$kind\"/>"
        [ $kind != unified ] || wish='<!-- as it is -->'
        mapping "Begin - core_0" "Work 1 device_0" "End - core_0" "Also - core_0" "$wish" |
            sed 's/name="\*e\*"/name="there"/; s|\(<channel name=\)"there"\( kind="[a-z]*"/>\)|\1"there"\2\1"back"\2|' >$kind.xml
        synthesise -o $kind network.xml machine.xml $kind.xml
        DAL_STATS=$kind.json run 0 $kind/naps
        compare 0 $kind.json $kind
        [ "$(grep -c ' as predicted$' said)" -ge 3 ] || fail "$kind: other bytes" said
        for name in there back aside; do
            says "^$name [a-z]+ [0-9]+ [0-9]+ .* as predicted$"
        done
    done
    says '^there unified 0 0 4 4 '
    compare 1 two.json unified
fi
echo "$passed passed"
