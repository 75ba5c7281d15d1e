#!/usr/bin/env bash
# Drift of clocks: a process that gives tokens by a clock of its own, one that takes them, and a periodic process. A clock that is
# a fiftieth fast is planted. The formula by itself is tried in test/network/test_time.c, to a part of a million.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

command -v python3 >/dev/null || skip "python3 is missing"

# The clock outside is 1/50 fast, and starts late. It gives two tokens each 1/200 s.
cat >clock.h <<'END'
#include <time.h>
static void sleep_until(struct timespec *due, long ns)
{
    if (due->tv_sec == 0)
        clock_gettime(CLOCK_MONOTONIC, due);
    due->tv_nsec += ns;
    due->tv_sec += due->tv_nsec / 1000000000;
    due->tv_nsec %= 1000000000;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, due, NULL);
}
enum { TICK_NS = 5000000 * 50L / 51 };
END
cat >source.c <<'END'
#include "dal.h"
#include "clock.h"
struct _local_states { struct timespec due; long fired; };
void source_init(DALProcess *p)
{
    DAL_setClock(400, p);
}
int source_fire(DALProcess *p)
{
    int tokens[2] = {0, 0};
    sleep_until(&p->local->due, p->local->fired ? TICK_NS : 300000000);
    DAL_write(PORT_out, tokens, sizeof(tokens), p);
    return ++p->local->fired == 200;
}
END
cat >sink.c <<'END'
#include "dal.h"
#include "clock.h"
struct _local_states { struct timespec due; };
void sink_init(DALProcess *p)
{
    DAL_setClock(0, p);
}
int sink_fire(DALProcess *p)
{
    int token;
    if (DAL_at_end(PORT_in, p))
        return 1;
    DAL_read(PORT_in, &token, sizeof(token), p);
    sleep_until(&p->local->due, TICK_NS / 2);
    return 0;
}
END
cat >late.c <<'END'
#include "dal.h"
#include "clock.h"
struct _local_states { long fired; };
int late_fire(DALProcess *p)
{
    struct timespec nap = {0, 7000000};
    int token = 0;
    nanosleep(&nap, NULL);
    DAL_write(PORT_out, &token, sizeof(token), p);
    return ++p->local->fired == 60;
}
END
cat >drain.c <<'END'
#include "dal.h"
int drain_fire(DALProcess *p)
{
    int token;
    DAL_read(PORT_in, &token, sizeof(token), p);
    return 0;
}
END
cat >net.xml <<'END'
<processnetwork name="net">
  <process name="Source" type="io" source="source.c"/>
  <process name="Sink" type="io" source="sink.c"/>
  <process name="Late" source="late.c" period="5ms" overrun="skip"/>
  <process name="Drain" source="drain.c"/>
  <channel name="outside" from="Source.out" to="Sink.in" type="int" tokenratein="2" tokenrateout="dynamic" size="2048"/>
  <channel name="late" from="Late.out" to="Drain.in" type="int" size="64"/>
</processnetwork>
END
architecture core_0 core_1 >arch.xml
mapping "Source - core_0" "Sink - core_1" "Late - core_1" "Drain - core_1" >map.xml
synthesise -o net net.xml arch.xml map.xml
DAL_STATS=net.json run 0 net/net
python3 - <<'END' >log 2>&1 || fail "drift" log net.json
import json
p = {entry["process"]: entry for entry in json.load(open("net.json"))["processes"]}
source, sink, late = p["Source"], p["Sink"], p["Late"]
assert "drift_ppm" not in p["Drain"]
assert source["nominal_per_s"] == 400 and abs(source["tokens_per_s"] - 408) < 6, source
assert 5000 < source["drift_ppm"] < 35000 and 0.9e9 < source["drift_ns"] < 1.3e9, source # not the late start
assert sink["nominal_per_s"] == 0 == sink["drift_ppm"] and abs(sink["tokens_per_s"] - 408) < 12, sink
assert late["nominal_per_s"] == 200 and abs(late["tokens_per_s"] - 100) < 10 and late["drift_ppm"] < -400000, late
END
passed=$((passed + 1))

# The same in the table, without the firing that ended the source, and in the page that dalview makes of a run.
DAL_STATS=1 run 0 net/net
grep -q '^clock  *tokens  *tokens/s  *nominal/s  *drift ppm' messages || fail "no heading" messages
grep -q '^Source  *398  *4[01][0-9]\.[0-9]*  *400\.000  *[0-9]*\.[0-9] ' messages || fail "no line" messages
[ -x "$build/view/dalview" ] || exit 0 # as with ThreadSanitizer
run 0 "$build/view/dalview" --measured=net.json -o page.json net.xml arch.xml map.xml
grep -q '"tokens_per_s":4[01][0-9][.0-9]*,"nominal_per_s":400,"drift_ppm":[0-9]' page.json || fail "no drift" page.json
sed 's/"drift_ppm": [-0-9.]*/"drift_ppm": -2e6/' net.json >wrong.json
run 1 "$build/view/dalview" --measured=wrong.json -o wrong.html net.xml arch.xml map.xml
grep -q 'wrong.json:[0-9]*: error: .*drift_ppm' messages || fail "a drift of another sort" messages
