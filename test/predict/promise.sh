#!/usr/bin/env bash
# Latencies that a network promises, and processes that a clock releases, from the specification to the run: dalsynth
# takes what keeps a promise, refuses what nothing keeps, and the program counts what it does.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

# Camera, Work, which sleeps for 2 ms, and Screen.
cat >Camera.c <<'END'
#include "dal.h"
struct _local_states { int fired; };
int Camera_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->fired, sizeof(int), p);
    return ++p->local->fired == VAR_frames;
}
END
napping Work 2000000 >Work.c
cat >Screen.c <<'END'
#include "dal.h"
int Screen_fire(DALProcess *p) { int token; DAL_read(PORT_in, &token, sizeof(token), p); return 0; }
END
echo '{"Camera": 1000, "Work": 2100000, "Screen": 1000}' >times.json

# network MAX [ATTRIBUTES]: what is promised, and what Camera says beside its name
network() {
    echo '<processnetwork name="show"><variable name="frames" value="60"/>'
    [ -z "$1" ] || echo "<latency from=\"Camera\" to=\"Screen\" max=\"$1\"/>"
    echo "<process name=\"Camera\"${2:+ $2}><port type=\"output\" name=\"out\"/><source type=\"c\" location=\"Camera.c\"/></process>"
    echo '<process name="Work"><port type="input" name="in"/><port type="output" name="out"/>'
    echo '<source type="c" location="Work.c"/></process>'
    echo '<process name="Screen"><port type="input" name="in"/><source type="c" location="Screen.c"/></process>'
    channel seen Camera out Work in
    channel shown Work out Screen in
    echo '</processnetwork>'
}

architecture core_0 core_1 >machine.xml
mapping "Camera - core_0" "Work - core_1" "Screen - core_0" >map.xml

# made: the program in the folder of that name, and what dalsynth explains in `made`
make_it() {
    rm -rf program
    "$dalsynth" --explain --times=times.json -o program net.xml machine.xml map.xml >made 2>log || fail "dalsynth" log
}

# run_it NAME: with its statistics in NAME.json, and messages in `said`
run_it() {
    DAL_STATS=$1.json run 0 program/show
    cp messages said
}

# of NAME MEMBER: a number of the first latency or periodic process in NAME.json
of() {
    sed -n "s/.*\"$2\": \([0-9]*\).*/\1/p" "$1.json" | head -1
}

capacity() { # CHANNEL
    awk -v name="$1" '$1 == name && $3 == "->" { print $11; exit }' made
}

# ---- by the plan ----------------------------------------------------------------------------------

network "" >net.xml
make_it
wide=$(capacity seen)
network 30ms >net.xml
make_it
expect "so that latencies are kept" made
expect "; promised: 30 ms" made
narrow=$(capacity seen)
check "less capacity: $narrow of $wide" "$([ "$narrow" -lt "$wide" ]; echo $?)"
run_it kept
check "all are counted" "$([ "$(of kept iterations)" -eq 60 ]; echo $?)"
check "each took the time of Work" "$([ "$(of kept p50_ns)" -ge 2000000 ]; echo $?)"
sed -i 's/<sw_channel name="seen"/& size="200"/; s/<sw_channel type="fifo" name="seen"/& size="200"/' net.xml
refuse "net.xml:2: error: [latency] latency from 'Camera' to 'Screen': 30 ms cannot be kept with this mapping: predicted is " \
    --times=times.json net.xml machine.xml map.xml
network 1ms >net.xml
refuse "1 ms cannot be kept" --times=times.json net.xml machine.xml map.xml
run 0 "$dalsynth" --check net.xml machine.xml map.xml
expect "net.xml:2: warning: [latency] whether the latency from 'Camera' to 'Screen' is kept is not known" messages

# Times that differ: one firing of Work in a hundred takes 20 ms. A promise of a part of all iterations is of these times.
differing='{"dal-times": 2, "machine": {}, "times": ['
for process in 'Camera 1 1 1 1' 'Work 2400 2000 2100 20000' 'Screen 1 1 1 1'; do
    read -r name mean low median high <<<"$process"
    differing+="{\"process\": \"$name\", \"type\": \"c\", \"on\": \"core\", \"key\": \"\", \"copies\": 1, \"items\": 1, \"firings\": 1000,
        \"ns\": {\"mean\": ${mean}000, \"p10\": ${low}000, \"median\": ${median}000, \"p99\": ${high}000}},"
done
echo "${differing%,}]}" >differing.json
network '12ms" percentile="90' >net.xml
run 0 "$dalsynth" --check --explain --times=differing.json net.xml machine.xml map.xml
expect "; promised: 12 ms for 90 % of the iterations; with the spread of the times: " output
network '12ms" percentile="99.5' >net.xml
refuse "12 ms for 99.5 % of the iterations cannot be kept with this mapping: predicted is " --times=differing.json net.xml machine.xml map.xml
network 12ms >net.xml
refuse "12 ms cannot be kept" --times=differing.json net.xml machine.xml map.xml
run 0 "$dalsynth" --check --times=times.json net.xml machine.xml map.xml
network 1ms >net.xml

# ---- by the run -----------------------------------------------------------------------------------

# Nobody knows the times, so the program is made, and tells.
rm -rf program
"$dalsynth" -o program net.xml machine.xml map.xml >made 2>log || fail "dalsynth" log
run_it missed
check "all are missed" "$([ "$(of missed misses)" -eq 60 ]; echo $?)"
expect "latency Camera -> Screen: 60 of 60 iterations took more than 1 ms" said
expect "(net.xml:2)" said

# Of a hundred iterations 99.9 are to be in time: none is.
network '1ms" percentile="99.9' >net.xml
rm -rf program
"$dalsynth" -o program net.xml machine.xml map.xml >made 2>log || fail "dalsynth" log
run_it part
expect "60 of 60 iterations took more than 1 ms, 0.0000 % did not, and 99.9 % were promised; the longest " said
expect " of which Screen waited for tokens of Work (net.xml:2)" said
expect '"percentile": 99.9, "percentile_ns": ' part.json
run 0 "$dalsynth" --expand net.xml
expect 'percentile="99.9"' output
network 1ms >net.xml
rm -rf program
"$dalsynth" -o program net.xml machine.xml map.xml >made 2>log || fail "dalsynth" log
DAL_STATS=1 run 0 program/show
expect "latency" messages
network "" >net.xml
make_it
run_it unasked
check "nobody asks, nothing is told" "$(grep -q Camera unasked.json && ! grep -q 'p50_ns": [0-9]' unasked.json; echo $?)"

# ---- by the clock ---------------------------------------------------------------------------------

network 30ms 'period="5ms" overrun="skip"' >net.xml
make_it
expect "what limits it: the period of Camera" made
check "a slow source leaves channels empty, which may be as large as ever" "$([ "$(capacity seen)" -eq "$wide" ]; echo $?)"
start_ns=$(date +%s%N)
run_it clock
took=$((($(date +%s%N) - start_ns) / 1000000))
check "59 periods, $took ms, and perhaps some that were skipped" "$([ "$took" -ge 295 ]; echo $?)"
check "a release for each firing" "$([ "$(sed -n 's/.*"releases": \([0-9]*\).*/\1/p' clock.json)" -eq 60 ]; echo $?)"
for policy in delay catchup skip; do
    network "" "period=\"1ms\" deadline=\"500us\" overrun=\"$policy\"" >net.xml
    make_it
    run_it "$policy"
    check "$policy: the same frames" "$([ "$(sed -n 's/.*"releases": \([0-9]*\).*/\1/p' "$policy.json")" -eq 60 ]; echo $?)"
done
network "" 'period="1ms" shadowcopies="2"' >net.xml
refuse "net.xml:2: error: [bad-period] process 'Camera' is periodic, but it has shadow copies" net.xml machine.xml map.xml

# ---- a run beside its prediction ------------------------------------------------------------------

network 30ms >net.xml
make_it
"$dalsynth" --check --explain --times=times.json --measured=kept.json net.xml machine.xml map.xml >out 2>log || fail "measured" log
check "statistics with latencies are read" "$([ ! -s log ]; echo $?)"
check "and stand beside what was predicted" "$(grep -qE '^Camera to Screen +[0-9.]+ ms +[0-9.]+ ms +[0-9.]+ ms +[0-9.]+ ms +30 ms +[0-9]+ of 60$' out; echo $?)"
sed 's/"p50_ns": [0-9]*/"p50_ns": -1/' kept.json >wrong.json
run 1 "$dalsynth" --check --explain --times=times.json --measured=wrong.json net.xml machine.xml map.xml
expect "[bad-stats]" messages
sed 's/, "latencies": \[[^]]*\]//' kept.json | tr -d '\n' | sed 's/, "latencies": \[[^]]*\]//' >early.json
"$dalsynth" --check --explain --times=times.json --measured=early.json net.xml machine.xml map.xml >out 2>log || fail "early" log
check "statistics without latencies are read, too" "$(! grep -q '^Camera to Screen' out; echo $?)"

# ---- processes that fire in turn, as one ----------------------------------------------------------

# On one core an activation of all three would last for the 64 firings of a turn, which is 57.6 us.
network 30us >net.xml
mapping "Camera - core_0" "Work - core_0" "Screen - core_0" >one.xml
sed -i 's/^int Work_fire/struct _local_states { int kept; };\n&/' Work.c
echo '{"Camera": 300, "Work": 300, "Screen": 300}' >short.json
rm -rf program
"$dalsynth" --explain --times=short.json -o program net.xml machine.xml one.xml >made 2>log || fail "one core keeps it" log
way=$(sed -n 's/^an iteration, .*, at most \([0-9.]*\) us; promised: 0.03 ms$/\1/p' made)
check "$way us of 30" "$(awk "BEGIN { exit !(${way:-99} <= 27) }"; echo $?)"
check "the program knows" "$(grep -rqF ".most_firings = " program; echo $?)"
network 1us >net.xml
refuse "processes fire once at a time already" --times=short.json net.xml machine.xml one.xml
echo "$passed checks"
