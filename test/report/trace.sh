#!/usr/bin/env bash
# Traces in all formats: a reader of its own decodes each file, and finds the events of the JSON of the same run. Names
# of any kind, events that overlap, events that were dropped; files that cannot be written, endings that mean nothing.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

command -v python3 >/dev/null || skip "python3 is missing"
make_trace=$build/test/report/make_trace

for ending in json pftrace perfetto-trace prv; do
    DAL_TRACE=t.$ending run 0 "$make_trace" 100 8
    expect "trace: 12 events of core_1 lost (DAL_TRACE_EVENTS)" messages
done
cmp t.pftrace t.perfetto-trace || fail "two endings of one format differ"
for ending in pftrace prv; do
    python3 "$input/compare.py" t.json t.$ending >out 2>log || fail "t.$ending" log out
    [ "$(cat out)" = "110 events, 12 lost" ] || fail "events are missing" out
done

# A program's own: of the same processes, and as many firings.

synthesise -o hello "$source/apps/hello/hello.xml"
for ending in json pftrace prv; do
    DAL_TRACE=h.$ending run 0 hello/hello
done
for ending in pftrace prv; do
    python3 "$input/compare.py" --totals h.json h.$ending >out 2>log || fail "h.$ending" log out
done

# Periodic processes: each release was through at some time, and the trace has it. Those behind their deadline are the
# misses that were counted, to each one, however long anything took; also with several firings a release, in several
# activations, and in a group.
cat >clock.c <<'END'
#include <dal.h>
#include <time.h>
struct _local_states { int next; };
int Clock_fire(DALProcess *p)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - begin.tv_sec) * 1000000000L + now.tv_nsec - begin.tv_nsec < p->local->next % 7 * 30000);
    DAL_write(PORT_out, &p->local->next, 4, p);
    return ++p->local->next == 240;
}
END
cat >sink.c <<'END'
#include <dal.h>
int Sink_fire(DALProcess *p)
{
    int number;
    DAL_read(PORT_in, &number, 4, p);
    return 0;
}
END
architecture core_0 core_1 >machine.xml
for overrun in delay catchup skip; do
    for firings in 1 3; do
        cat >clock.xml <<END
<processnetwork name="clock">
  <process name="Clock" source="clock.c" period="200us" deadline="150us" repetitions="$firings" overrun="$overrun"/>
  <process name="Sink" source="sink.c"/>
  <channel name="c" from="Clock.out" to="Sink.in" type="int" size="64"/>
</processnetwork>
END
        mapping "Clock - core_0" "Sink - core_$((firings % 2))" >mapping.xml
        synthesise -o clock clock.xml machine.xml mapping.xml
        DAL_STATS=./stats.json DAL_TRACE=c.json run 0 clock/clock
        python3 - <<'END' 2>log || fail "misses with $overrun, $firings firings a release" log
import json
told = json.load(open("stats.json"))["periodic"][0]
through = [e["args"]["through_us"] for e in json.load(open("c.json"))["traceEvents"]
           if e["ph"] == "X" and "through_us" in e["args"]]
missed = sum(us > 150 for us in through)
assert len(through) == told["releases"] > 0 and missed == told["misses"] > 0, (len(through), missed, told)
END
    done
done

# A limit in bytes: fewer events than DAL_TRACE_EVENTS allows, and the file says how many it lost.
for megabytes in 1 2; do
    DAL_TRACE=m.json DAL_TRACE_MB=$megabytes run 0 "$make_trace" 200000 8
    kept=$(grep -c '"ph":"X".*"tid":0' m.json)
    lost=$(sed -n 's/.*"name":"core_0","lost":\([0-9]*\).*/\1/p' m.json)
    [ "$((kept + ${lost:-0}))" -eq 200000 ] || fail "$megabytes MB: $kept kept, $lost lost" messages
    [ "$kept" -le $((megabytes * 1000000 / 32)) ] && [ "$kept" -ge $((megabytes * 1000000 / 64)) ] ||
        fail "$kept events in $megabytes MB"
done
for wrong in 0 4001 1x '' -1; do
    DAL_TRACE=m.json DAL_TRACE_MB=$wrong run 1 "$make_trace" 100 8
    expect "DAL_TRACE_MB=$wrong: not a number from 1 to 4000" messages
done

# What cannot be written: nothing is left half-written.
DAL_TRACE=t.txt run 2 hello/hello
expect "DAL_TRACE=t.txt: ends in none of" messages
[ ! -s output ] && [ ! -e t.txt ] || fail "an ending that means nothing, and the network runs" output
DAL_TRACE=nowhere/t.pftrace run 1 hello/hello
expect "DAL_TRACE=nowhere/t.pftrace cannot be written" messages
ln -s /dev/full full.pftrace
DAL_TRACE=full.pftrace run 1 hello/hello
expect "DAL_TRACE=full.pftrace cannot be written" messages
[ -s output ] || fail "a full disk is known at the end" output
# Of several files none is there when one cannot be written.
for full in prv pcf row; do
    rm -rf beside
    mkdir beside
    ln -s /dev/full beside/t.$full
    DAL_TRACE=beside/t.prv run 1 hello/hello
    expect "DAL_TRACE=beside/t.$full cannot be written" messages
    [ "$(ls beside)" = t.$full ] || fail "t.$full is not there, and others are"
done
echo "all formats hold the same"
