#!/usr/bin/env bash
# Programs of several applications: apps/scenario against its networks alone; applications that are
# started, paused, resumed, stopped and started again by events; interrupts; errors; the command
# line. What an application prints must not depend on the others.
set -euo pipefail

work=$(mktemp -d "${TMPDIR:-/tmp}/dal-fsm.XXXXXX")
pid=
trap '[ -z "$pid" ] || kill -9 "$pid"; rm -rf "$work"' EXIT
cd "$work"
dalsynth=${DAL_BUILDDIR:?}/synth/dalsynth
scenario=${DAL_SRCDIR:?}/apps/scenario

die() {
    echo "FAIL: $*"
    exit 1
}

expect() { # TEXT FILE
    grep -qF -e "$1" "$2" || {
        cat "$2"
        die "no '$1'"
    }
}

status_is() { # STATUS COMMAND...; output in "messages"
    local want=$1 status=0
    shift
    "$@" >messages 2>&1 || status=$?
    [ $status = "$want" ] || {
        cat messages
        die "exit status $status instead of $want: $*"
    }
}

cat >architecture.xml <<'END_XML'
<architecture name="two">
  <processor name="core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>
  <processor name="core_1" type="RISC"><capability name="POSIX" identifier="1"/></processor>
</architecture>
END_XML

# ---- each application of the scenario prints what it prints alone

"$dalsynth" --fsm -o scenario "$scenario/scenario.xml" architecture.xml
for name in smooth edges; do
    "$dalsynth" -o "$name" "$scenario/$name.xml" architecture.xml "$scenario/map-$name.xml"
    "$name/$name" -p Source.pace=0 >"$name.alone"
done
for turn in 1 7 20; do
    for pace in 0 500; do
        scenario/scenario -p smooth.Source.turn=$turn -p edges.Source.turn=$turn \
            -p smooth.Source.pace=$pace -p edges.Source.pace=$pace >scenario.out 2>messages
        for name in smooth edges; do
            grep "^$name" scenario.out | diff -u "$name.alone" - || die "$name, turn $turn, pace $pace"
        done
        [ ! -s messages ] || die "$(cat messages)"
    done
done

# ---- a life: all that can happen to an application

cat >source.c <<'END_C'
#define _DEFAULT_SOURCE
#include "dal.h"
#include <stdio.h>
#include <unistd.h>
struct _local_states { long next, limit, half, enough, stood; };

static long progress(void)
{
    long number = -1;
    FILE *file = fopen("progress", "r");
    if (file && fscanf(file, "%ld", &number) != 1)
        number = -2;
    if (file)
        fclose(file);
    return number;
}

void Source_init(DALProcess *p)
{
    DAL_getParameterInt("limit", &p->local->limit, p);
    DAL_getParameterInt("half", &p->local->half, p);
    DAL_getParameterInt("enough", &p->local->enough, p);
    p->local->stood = progress();
    DAL_printf("%s: init\n", DAL_getParameter("name", p));
    fflush(stdout);
}

int Source_fire(DALProcess *p)
{
    long number = p->local->next++;
    DAL_write(PORT_out, &number, sizeof(number), p);
    if (number == p->local->half)
        DAL_send_event("half", p);
    if (p->local->enough && number >= p->local->enough)
        DAL_send_event("enough", p);
    usleep(1000);
    return p->local->limit && p->local->next >= p->local->limit;
}

void Source_finish(DALProcess *p)
{
    DAL_printf("%s: sent %ld\n", DAL_getParameter("name", p), p->local->next);
    if (p->local->limit)
        DAL_printf("%s: A %s\n", DAL_getParameter("name", p),
                   progress() == p->local->stood ? "stood still" : "has moved");
}
END_C
cat >sink.c <<'END_C'
#include "dal.h"
#include <stdio.h>
struct _local_states { long next, wrong, fails; };

void Sink_init(DALProcess *p)
{
    DAL_getParameterInt("fails", &p->local->fails, p);
}

int Sink_fire(DALProcess *p)
{
    long number;
    FILE *file = NULL;
    DAL_read(PORT_in, &number, sizeof(number), p);
    p->local->wrong += number != p->local->next++;
    if (*DAL_getParameter("progress", p))
        file = fopen(DAL_getParameter("progress", p), "w");
    if (file) {
        fprintf(file, "%ld\n", number);
        fclose(file);
    }
    if (p->local->fails && p->local->next == p->local->fails)
        DAL_fail(p, "as it was told to");
    return 0;
}

void Sink_finish(DALProcess *p)
{
    DAL_printf("%s: received %ld, %ld wrong\n", DAL_getParameter("name", p), p->local->next,
               p->local->wrong);
}
END_C
channel() { # NAME FROM TO [ATTRIBUTES]: 8-byte tokens from port "out" to port "in"
    cat <<END_XML
  <sw_channel type="fifo" name="$1" size="16" tokensize="8" ${4:-}>
    <port type="input" name="in"/><port type="output" name="out"/></sw_channel>
  <connection name="to_$1"><origin name="$2"><port name="out"/></origin>
    <target name="$1"><port name="in"/></target></connection>
  <connection name="from_$1"><origin name="$1"><port name="out"/></origin>
    <target name="$3"><port name="in"/></target></connection>
END_XML
}

network() { # NAME, what joins Source and Sink on standard input
    cat <<END_XML
<processnetwork name="$1">
  <process name="Source" type="io"><port type="output" name="out"/>
    <source id="0" type="c" location="source.c"/>
    <parameter name="name" value="?"/><parameter name="limit" value="0"/>
    <parameter name="half" value="-1"/><parameter name="enough" value="0"/></process>
  <process name="Sink" type="io"><port type="input" name="in"/>
    <source id="0" type="c" location="sink.c"/>
    <parameter name="name" value="?"/><parameter name="progress" value=""/>
    <parameter name="fails" value="0"/></process>
$(cat)
</processnetwork>
END_XML
}

mapping() { # NETWORK [MORE BINDINGS]
    cat <<END_XML
<mapping name="m" processnetwork="$1">
  <binding name="source"><process name="Source"/><processor name="core_0"/></binding>
  <binding name="sink"><process name="Sink"/><processor name="core_1"/></binding>
  ${2:-}
</mapping>
END_XML
}

machine() { # NAME [NETWORK AND MAPPING OF A], states and transitions on standard input
    cat <<END_XML
<fsm name="$1">
  <application name="A" network="${2:-network.xml}" mapping="${3:-mapping.xml}"/>
  <application name="B" network="network.xml" mapping="mapping.xml"/>
  $(cat)
</fsm>
END_XML
}

channel c Source Sink | network counter >network.xml
mapping counter >mapping.xml
# A tells of its event with every token from then on, however long nobody looks.
names="--event-queue=1000000 -p A.Source.name=A -p A.Sink.name=A -p B.Source.name=B -p B.Sink.name=B"

cat >life.states <<'END_XML'
  <state name="start" initial="true"><running application="A"/></state>
  <state name="b1"><running application="B"/><paused application="A"/></state>
  <state name="again"><running application="A"/></state>
  <state name="b2"><running application="B"/></state>
  <state name="a2"><running application="A"/></state>
  <endstate name="off"/>
  <transition from="start" to="b1" event="half"/>
  <transition from="b1" to="again" event="B.finished"/>
  <transition from="again" to="b2" event="enough"/>
  <transition from="b2" to="a2" event="B.finished"/>
  <transition from="a2" to="off" event="enough"/>
END_XML
machine life <life.states >life.xml
"$dalsynth" --fsm -o life life.xml architecture.xml
DAL_STATS=1 life/life $names -p A.Source.half=50 -p A.Source.enough=100 -p A.Sink.progress=progress \
    -p B.Source.limit=30 >life.out 2>life.stats
sed 's/[0-9][0-9]*, 0 wrong/N/; s/sent [0-9]*/sent N/' life.out >life.words
sort life.words | uniq -c | sed 's/^ *//' >life.counts
diff -u - life.counts <<'END_TEXT' || die "another life"
2 A: init
2 A: received N
2 A: sent N
2 B: A stood still
2 B: init
2 B: received N
2 B: sent N
END_TEXT
grep init life.out | tr -d '\n' | diff -u - <(printf 'A: initB: initB: initA: init') ||
    die "in another order"
awk '/sent/ { sent[$1] += $3 } /received/ { received[$1] += $3 }
     END { exit !(sent["A:"] == received["A:"] && sent["A:"] > 200 && sent["B:"] == 60 &&
                  received["B:"] == 60) }' life.out || { cat life.out; die "tokens are lost"; }
for run in A-1 A-2 B-1 B-2; do
    grep -q "^$run, " life.stats || die "no statistics of $run"
done
awk '$1 == "half" { half = $2 == 1 && $3 == 1 } $1 == "enough" { enough = $2 == 2 }
     $1 == "B.finished" { b = $2 == 2 } END { exit !(half && enough && b) }' life.stats ||
    { cat life.stats; die "events are miscounted"; }

# Traces of all runs, each in its own file.
DAL_TRACE=t.json DAL_TIMES=times.json life/life $names -p A.Source.half=50 -p A.Source.enough=60 \
    -p B.Source.limit=5 >/dev/null
for run in A-1 A-2 B-1 B-2; do
    [ -s "t-$run.json" ] && [ -s "times-$run.json" ] || die "no trace or times of $run"
done

# ---- the same with a KPN process in the middle, whose one firing goes on through pauses; a pause
# is no stall, however long

cat >relay.c <<'END_C'
#include "dal.h"
int Relay_fire(DALProcess *p)
{
    while (!DAL_at_end(PORT_in, p)) {
        long number;
        DAL_read(PORT_in, &number, sizeof(number), p);
        DAL_write(PORT_out, &number, sizeof(number), p);
    }
    return 1;
}
END_C
relay() { # TYPE FILE [RATES AT RELAY]: as network, through a process Relay
    {
        echo '<process name="Relay" type="local" shadowcopies="8">'
        echo '<port type="input" name="in"/><port type="output" name="out"/>'
        echo "<source id=\"0\" type=\"$1\" location=\"$2\"/></process>"
        channel there Source Relay "${3:+tokenrateout=\"$3\"}"
        channel back Relay Sink "${3:+tokenratein=\"$3\"}"
    } | network relay
}
relay c relay.c dynamic | sed 's/ shadowcopies="8"//' >relay.xml
mapping relay '<binding name="relay"><process name="Relay"/><processor name="core_1"/></binding>' \
    >relay-map.xml
machine life relay.xml relay-map.xml <life.states >relay-life.xml
"$dalsynth" --fsm -o relay relay-life.xml architecture.xml
relay/life $names --stall-timeout=1 -p A.Source.half=50 -p A.Source.enough=100 \
    -p A.Sink.progress=progress -p B.Source.limit=1500 >life.out 2>messages || die "$(cat messages)"
sed 's/[0-9][0-9]*, 0 wrong/N/; s/sent [0-9]*/sent N/' life.out | sort | diff -u <(sort life.words) - ||
    die "another life with a KPN process"

# ---- the same with a kernel in the middle, where there is a device: launches come to their end
# before a pause, and tokens stay in the device's channels

if "$DAL_BUILDDIR"/tools/dalinfo --architecture | grep -q OPENCL; then
    cat >relay.cl <<'END_C'
__kernel void Relay(__global const long *in, __global long *out)
{
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = in[get_group_id(0)];
}
END_C
    relay opencl relay.cl >relay.xml
    mapping relay '<binding name="relay"><process name="Relay"/><processor name="device"/></binding>' \
        >relay-map.xml
    machine life relay.xml relay-map.xml <life.states >relay-life.xml
    sed 's|^</arch|<processor name="device" type="RISC"><capability name="OPENCL" identifier="CPU_DEV1"/></processor>\n&|' \
        architecture.xml >device.xml
    "$dalsynth" --fsm -o relay relay-life.xml device.xml
    cat >count.c <<'END_C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
int clBuildProgram(void *program, unsigned count, void *devices, const char *options, void *notify,
                   void *data)
{
    int (*build)(void *, unsigned, void *, const char *, void *, void *) =
        (int (*)(void *, unsigned, void *, const char *, void *, void *))dlsym(RTLD_NEXT, __func__);
    return write(2, "built\n", 6) == 6 ? build(program, count, devices, options, notify, data) : -1;
}
END_C
    ${CC:-cc} -shared -fPIC -o count.so count.c -ldl
    LD_PRELOAD=$PWD/count.so ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0 \
        relay/life $names -p A.Source.half=50 -p A.Source.enough=100 -p A.Sink.progress=progress \
        -p B.Source.limit=30 >life.out 2>messages || die "$(cat messages)"
    [ "$(grep -cx built messages)" = 1 ] || die "not one build for two starts: $(cat messages)"
    sed 's/[0-9][0-9]*, 0 wrong/N/; s/sent [0-9]*/sent N/' life.out | sort | diff -u <(sort life.words) - ||
        die "another life with a device"
fi

# ---- interrupts, in the middle: one runs, one is paused. Not with ThreadSanitizer, which holds a
# signal back as long as the main thread waits on a futex; there test_controller interrupts.

machine ever >ever.xml <<'END_XML'
  <state name="both" initial="true"><running application="A"/><running application="B"/></state>
  <state name="one"><running application="B"/><paused application="A"/></state>
  <transition from="both" to="one" event="half"/>
END_XML
"$dalsynth" --fsm -o ever ever.xml architecture.xml
signals="INT TERM"
case ${DAL_SANITIZER:-} in *thread*) signals= ;; esac
for half in -1 20; do
    for signal in $signals; do
        rm -f progress
        env --default-signal=INT ever/ever $names -p A.Source.half=$half \
            -p B.Sink.progress=progress >ever.out 2>messages &
        pid=$!
        until [ "$(cat progress 2>/dev/null || true)" -gt 60 ] 2>/dev/null; do
            kill -0 $pid 2>/dev/null || { cat messages; die "it ended by itself"; }
            sleep 0.01
        done
        kill -$signal $pid
        status=0
        wait $pid || status=$?
        pid=
        [ $status = 0 ] || { cat messages; die "SIG$signal: exit status $status"; }
        [ ! -s messages ] || die "SIG$signal: $(cat messages)"
        awk '/sent/ { sent[$1] = $3 } /received/ { received[$1] = $3 + 0; wrong += $4 }
             END { exit !(sent["A:"] && sent["A:"] == received["A:"] && sent["B:"] &&
                          sent["B:"] == received["B:"] && !wrong) }' ever.out ||
            { cat ever.out; die "SIG$signal: what was sent has not arrived"; }
    done
done

# ---- an error of one ends all, and is named

status_is 1 ever/ever $names -p B.Sink.fails=20
expect "application B ended early: a process failed" messages
expect "A: sent" messages
expect "A: received" messages

# ---- the command line

status_is 0 ever/ever --help
expect "A.Source.limit=0" messages
status_is 0 ever/ever --check
status_is 2 ever/ever -p Source.limit=3
status_is 2 ever/ever -p A.Source.limits=3
expect "process Source has no parameter limits" messages
status_is 2 ever/ever -p C.Source.limit=3
expect "no application C" messages
status_is 2 ever/ever --event-queue=0
status_is 2 smooth/smooth --event-queue=5
status_is 0 ever/ever $names --event-queue=1 -p A.Source.limit=5 -p B.Source.limit=5

# ---- sources called like the files that are made

mkdir names
cp source.c names/net.c
cp sink.c names/fsm.c
sed 's/source\.c/net.c/; s/sink\.c/fsm.c/' network.xml >names/network.xml
cp mapping.xml names
sed 's/"ever"/"names"/' ever.xml >names/fsm.xml
(cd names && "$dalsynth" --fsm -o out fsm.xml ../architecture.xml &&
    "$dalsynth" -o alone network.xml ../architecture.xml mapping.xml) || die "sources net.c and fsm.c"

# One program runs on one node: not A on one and B on another.
cat >nodes.xml <<'END_XML'
<architecture name="two">
  <shared name="near"><port name="p"/></shared><shared name="far"><port name="p"/></shared>
  <processor name="core_0" type="RISC"><port name="p"/><capability name="POSIX" identifier="0"/></processor>
  <processor name="core_1" type="RISC"><port name="p"/><capability name="POSIX" identifier="0"/></processor>
  <link name="l0"><end_point_1 name="core_0"><port name="p"/></end_point_1>
    <end_point_2 name="near"><port name="p"/></end_point_2></link>
  <link name="l1"><end_point_1 name="core_1"><port name="p"/></end_point_1>
    <end_point_2 name="far"><port name="p"/></end_point_2></link>
</architecture>
END_XML
for core in 0 1; do
    printf '<mapping name="m"><binding name="b"><process name="*"/><processor name="core_%s"/></binding></mapping>' \
        "$core" >"node-$core.xml"
done
cp mapping.xml mapping.kept
cp node-1.xml mapping.xml
machine apart network.xml node-0.xml <life.states >apart.xml
if "$dalsynth" --fsm -o apart apart.xml nodes.xml 2>messages; then
    die "applications on two nodes are made one program"
fi
grep -q "apart.xml:3: error: \[several-nodes\] application 'B' is mapped to node 'far', but 'A' to node 'near'" messages ||
    { cat messages; die "no several-nodes"; }
machine together network.xml node-1.xml <life.states >together.xml
"$dalsynth" --fsm --check together.xml nodes.xml || die "two applications on one node"
mv mapping.kept mapping.xml
status_is 0 names/out/names $names -p A.Source.limit=5 -p B.Source.limit=5
status_is 0 names/alone/counter -p Source.limit=5
expect "received 5, 0 wrong" messages

# ---- without a state machine nobody takes events

DAL_STATS=1 status_is 0 names/alone/counter -p Source.limit=5 -p Source.half=2 -p Source.enough=3
expect "events ignored: 3" messages
echo "all as expected"
