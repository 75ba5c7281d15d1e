#!/usr/bin/env bash
# The bottleneck of a run by name: a slow process, a processor with too much to do, a channel that is too small are put into
# networks, and dalview says which it was.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
dalview=$build/view/dalview
[ "$(nproc)" -gt 1 ] || skip "two cores are wanted"

# stage NAME PORTS NS FIRINGS: a process that needs so long for a firing. Without an input it ends after so many.
stage() {
    local read='' write=''
    [[ $2 != *in* ]] || read='if (DAL_read(PORT_in, &token, sizeof(token), p) < 0) return 1;'
    [[ $2 != *out* ]] || write='DAL_write(PORT_out, &token, sizeof(token), p);'
    cat >"$1.c" <<END
#include "dal.h"
#include <time.h>

struct _local_states { int fired; };

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

int $1_fire(DALProcess *p)
{
    int token = 0;

    if (p->local->fired++ == $4)
        return 1;
    $read
    for (long end = now() + $3; now() < end;)
        continue;
    $write
    return 0;
}
END
}
# network SIZE CORES...: A, B and C in a row; the first channel has a size. A core for each.
network() {
    cat >net.xml <<END
<processnetwork name="net">
  <process name="A" source="A.c"/><process name="B" source="B.c"/><process name="C" source="C.c"/>
  <channel name="first" from="A.out" to="B.in" type="int" tokenratein="1" tokenrateout="1" size="$1"/>
  <channel name="second" from="B.out" to="C.in" type="int" tokenratein="1" tokenrateout="1" size="64"/>
  <latency from="A" to="C" max="10s" percentile="99.5"/>
</processnetwork>
END
    {
        echo '<mapping name="map">'
        for process in A B C; do
            echo "<binding name=\"$process\"><process name=\"$process\"/><processor name=\"core_$2\"/></binding>"
            shift
        done
        echo '</mapping>'
    } >map.xml
}
architecture core_0 core_1 >arch.xml

# names SORT NUMBER EXPRESSION: a run is limited by this.
names() {
    synthesise -o net net.xml arch.xml map.xml
    DAL_STATS=./run.json run 0 net/net
    run 0 "$dalview" --measured=run.json -o run.json.json net.xml arch.xml map.xml
    grep -qF "\"limit\":{\"sort\":\"$1\",\"index\":$2," run.json.json && grep -qE "$3" run.json.json ||
        fail "the bottleneck is not $1 $2" <(grep -o '"limit":{[^}]*}' run.json.json) run.json
    rm -r net
}

# B is slow. On a machine with much else to do it does not fire all the time, and yet all wait for it.
stage A out 1000 2000
stage B 'in out' 100000 0x7fffffff
stage C in 1000 0x7fffffff
network 64 0 1 0
names process 1 'fired all the time|made those before it wait'

# All on one core, and none of them most of the time: B has the most to do. Where others take the core from it, it may be held.
stage A out 20000 2000
stage B 'in out' 65000 0x7fffffff
stage C in 20000 0x7fffffff
network 64 0 0 0
names process 1 'fired longest on processors|fired all the time, but'

# One token at a time: A and B wait for each other.
stage A out 100000 2000
stage B 'in out' 100000 0x7fffffff
stage C in 1000 0x7fffffff
network 1 0 1 0
names channel 0 'was full and empty in turns'

# A is through long before the end, since what it made is on its way; until then it waited for space. So it is not A.
python3 - <<'END'
import json
run = json.load(open("run.json"))
wall = run["wall_ns"] = 1000000000
for p in run["processes"]:
    p.update(first_ns=0, last_ns=wall, firing_ns=3000000, busy_ns=3000000, starved_ns=0, blocked_ns=0)
for c in run["channels"]:
    c.update(token_waits=0, token_wait_ns=0, space_waits=0, space_wait_ns=0)
run["processes"][0].update(last_ns=440000000, blocked_ns=435000000)
run["processes"][1].update(starved_ns=995000000)
run["channels"][0].update(token_waits=9, token_wait_ns=995000000, space_waits=9, space_wait_ns=435000000)
json.dump(run, open("early.json", "w"))
END
run 0 "$dalview" --measured=early.json -o early.json.json net.xml arch.xml map.xml
grep -qF '"limit":{"sort":"channel","index":0,"share":0.995' early.json.json ||
    fail "one that was through early" <(grep -o '"limit":{[^}]*}' early.json.json)

# Of a process on two devices, both can be busy all the time, on CUDA as on OpenCL.
python3 - <<'END'
import json
run = json.load(open("early.json"))
run["processes"][1].update(firing_ns=1000000000, planned=["cuda_0", "cuda_1"], on=["cuda_0", "cuda_1"])
json.dump(run, open("devices.json", "w"))
END
echo 'extern "C" __global__ void B(const int *in, int *out) { *out = *in; }' >B.cu
sed 's|source="B.c"/>|><source type="cuda" location="B.cu"/></process>|' net.xml >on-devices.xml
sed 's|\(name="B"/>\).*</b|\1<processor name="cuda_0"/><processor name="cuda_1"/></b|' map.xml >devices.xml
architecture core_0 core_1 cuda_0 cuda_1 >machine.xml
run 0 "$dalview" --measured=devices.json -o devices.json.json on-devices.xml machine.xml devices.xml
grep -q '"firing_ns":1000000000,"copies":1,"firing":0.500' devices.json.json ||
    fail "two devices of CUDA count as one" <(grep -o '"firings":[^}]*}' devices.json.json)

# What was promised is what the run's program promised. An earlier program promised something of all iterations.
grep -q '"latencies":\[{"iterations":2000,"allowed_ns":10000000000,"percentile":99.5,"percentile_ns":[1-9]' early.json.json ||
    fail "a promise" <(grep -o '"latencies":.*' early.json.json)
took='"from": "A", "to": "C", "iterations": 1000, "p50_ns": 100, "p99_ns": 200, "max_ns": 3000, "allowed_ns": 250'
promised() { # MEMBERS WANTED
    sed -E "s/\"latencies\": \[\{[^]]*\]/\"latencies\": [{$took, $1\"misses\": 10, \"lost\": 2}]/" early.json >promised.json
    run 0 "$dalview" --measured=promised.json -o promised.json.json net.xml arch.xml map.xml
    expect "\"latencies\":[{\"iterations\":1000,\"allowed_ns\":250,$2,\"max_ns\":3000,\"misses\":10,\"lost\":2}]" promised.json.json
}
promised '"percentile": 99.9, "percentile_ns": 2500, ' '"percentile":99.9,"percentile_ns":2500'
promised '' '"percentile":100,"percentile_ns":3000'

# What is wrong with a file.
run 1 "$dalview" --measured=missing.json -o x.json net.xml arch.xml map.xml
run 2 "$dalview" --measured=run.json -o x.json net.xml
run 2 "$dalview" --measured=a --measured=b --measured=c -o x.json net.xml arch.xml map.xml
sed 's/"first"/"other"/' run.json >other.json
run 1 "$dalview" --measured=other.json -o x.json net.xml arch.xml map.xml
[ ! -e x.json ] || fail "a picture of another run"
echo "three bottlenecks by name"
