#!/usr/bin/env bash
# Programs of several applications: apps/scenario against its networks alone; applications that are
# started, paused, resumed, stopped and started again by events; interrupts; errors; the command
# line. What an application prints must not depend on the others.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

scenario=$source/apps/scenario
cp "$input"/* .
. ./machines.sh
architecture core_0 core_1 >architecture.xml

# ---- each application of the scenario prints what it prints alone

synthesise --fsm -o scenario "$scenario/scenario.xml" architecture.xml
for name in smooth edges; do
    synthesise -o "$name" "$scenario/$name.xml" architecture.xml "$scenario/map-$name.xml"
    "$name/$name" -p Source.pace=0 >"$name.alone"
done
for turn in 1 7 20; do
    for pace in 0 500; do
        scenario/scenario -p smooth.Source.turn=$turn -p edges.Source.turn=$turn \
            -p smooth.Source.pace=$pace -p edges.Source.pace=$pace >scenario.out 2>messages || fail "scenario" messages
        for name in smooth edges; do
            grep "^$name" scenario.out | diff -u "$name.alone" - || fail "$name, turn $turn, pace $pace"
        done
        [ ! -s messages ] || fail "there are messages" messages
    done
done

# ---- a life: all that can happen to an application

two_cores() { # [BINDING]...: a mapping of Source and Sink
    mapping "Source - core_0" "Sink - core_1" "$@"
}

link c Source Sink | network counter >network.xml
two_cores >mapping.xml

machine life <life.states >life.xml
synthesise --fsm -o life life.xml architecture.xml
DAL_STATS=1 life/life $names -p A.Source.half=50 -p A.Source.enough=100 -p A.Sink.progress=progress \
    -p B.Source.limit=30 >life.out 2>life.stats
sed 's/[0-9][0-9]*, 0 wrong/N/; s/sent [0-9]*/sent N/' life.out >life.words
sort life.words | uniq -c | sed 's/^ *//' >life.counts
diff -u - life.counts <<'END_TEXT' || fail "another life"
2 A: init
2 A: received N
2 A: sent N
2 B: A stood still
2 B: init
2 B: received N
2 B: sent N
END_TEXT
grep init life.out | tr -d '\n' | diff -u - <(printf 'A: initB: initB: initA: init') ||
    fail "in another order"
awk '/sent/ { sent[$1] += $3 } /received/ { received[$1] += $3 }
     END { exit !(sent["A:"] == received["A:"] && sent["A:"] > 200 && sent["B:"] == 60 &&
                  received["B:"] == 60) }' life.out || fail "tokens are lost" life.out
for run in A-1 A-2 B-1 B-2; do
    grep -q "^$run, " life.stats || fail "no statistics of $run"
done
awk '$1 == "half" { half = $2 == 1 && $3 == 1 } $1 == "enough" { enough = $2 == 2 }
     $1 == "B.finished" { b = $2 == 2 } END { exit !(half && enough && b) }' life.stats ||
    fail "events are miscounted" life.stats

# Statistics, times and traces of all runs, each in its own file.
DAL_STATS=stats.json DAL_TRACE=t.json DAL_TIMES=times.json life/life $names -p A.Source.half=50 -p A.Source.enough=60 \
    -p B.Source.limit=5 >/dev/null
for run in A-1 A-2 B-1 B-2; do
    [ -s "t-$run.json" ] && [ -s "times-$run.json" ] || fail "no trace or times of $run"
    expect "\"network\": \"counter\", \"run\": \"$run\"" "stats-$run.json"
done

# ---- the same with a KPN process in the middle, whose one firing goes on through pauses; a pause
# is no stall, however long

relay() { # TYPE FILE [RATES AT RELAY]: as network, through a process Relay
    {
        echo '<process name="Relay" type="local" shadowcopies="8">'
        echo '<port type="input" name="in"/><port type="output" name="out"/>'
        echo "<source id=\"0\" type=\"$1\" location=\"$2\"/></process>"
        link there Source Relay "${3:+tokenrateout=\"$3\"}"
        link back Relay Sink "${3:+tokenratein=\"$3\"}"
    } | network relay
}
relay c relay.c dynamic | sed 's/ shadowcopies="8"//' >relay.xml
two_cores "Relay - core_1" >relay-map.xml
machine life relay.xml relay-map.xml <life.states >relay-life.xml
synthesise --fsm -o relay relay-life.xml architecture.xml
relay/life $names --stall-timeout=1 -p A.Source.half=50 -p A.Source.enough=100 \
    -p A.Sink.progress=progress -p B.Source.limit=1500 >life.out 2>messages || fail "a life" messages
sed 's/[0-9][0-9]*, 0 wrong/N/; s/sent [0-9]*/sent N/' life.out | sort | diff -u <(sort life.words) - ||
    fail "another life with a KPN process"

# ---- the same with a kernel in the middle, where there is a device: launches come to their end
# before a pause, and tokens stay in the device's channels

if "$dalinfo" --architecture | grep OPENCL >/dev/null; then
    relay opencl relay.cl >relay.xml
    two_cores "Relay - device" >relay-map.xml
    machine life relay.xml relay-map.xml <life.states >relay-life.xml
    architecture core_0 core_1 device >device.xml
    synthesise --fsm -o relay relay-life.xml device.xml
    ${CC:-cc} -shared -fPIC -o count.so count.c -ldl
    LD_PRELOAD=$PWD/count.so ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0 \
        relay/life $names -p A.Source.half=50 -p A.Source.enough=100 -p A.Sink.progress=progress \
        -p B.Source.limit=30 >life.out 2>messages || fail "a life" messages
    [ "$(grep -cx built messages)" = 1 ] || fail "not one build for two starts" messages
    sed 's/[0-9][0-9]*, 0 wrong/N/; s/sent [0-9]*/sent N/' life.out | sort | diff -u <(sort life.words) - ||
        fail "another life with a device"
fi

# ---- the same with a channel of the newest token, read once or again and again: what comes is newer than what came, through
# pauses, and an application that is stopped has read its last token

newest() { # NAME OLDEST ATTRIBUTES: files NAME.xml and NAME.c; OLDEST is the number that may come
    sed "s/number != p->local->next++;/number < $2; p->local->next = number + 1;/" sink.c >"$1.c"
    channel c Source out Sink in "tokensize=\"8\" $3" | network "$1" | sed "s/sink\.c/$1.c/" >"$1.xml"
}
newest once 'p->local->next' 'newest="true"'
newest again 'p->local->next - 1' 'newest="true" repeat="true"'
for name in once again; do
    machine life $name.xml mapping.xml <life.states >$name-life.xml
    synthesise --fsm -o $name $name-life.xml architecture.xml
    run 0 $name/life $names -p A.Source.half=50 -p A.Source.enough=100 -p A.Sink.progress=progress -p B.Source.limit=30
    sed 's/[0-9][0-9]*, 0 wrong/N/; s/sent [0-9]*/sent N/' output | sort | diff -u <(sort life.words) - ||
        fail "another life with newest tokens, $name"
    awk '/sent/ { sent[$1] += $3 } /received/ { received[$1] += $3 }
         END { exit !(sent["A:"] == received["A:"] && sent["A:"] > 200) }' output || fail "a last token is lost, $name" output
done

# ---- interrupts, in the middle: one runs, one is paused. Not with ThreadSanitizer, which holds a
# signal back as long as the main thread waits on a futex; there test_controller interrupts.

machine ever >ever.xml <<'END_XML'
  <state name="both" initial="true"><running application="A"/><running application="B"/></state>
  <state name="one"><running application="B"/><paused application="A"/></state>
  <transition from="both" to="one" event="half"/>
END_XML
synthesise --fsm -o ever ever.xml architecture.xml
sed 's/network="network.xml"/network="again.xml"/' ever.xml >newest.xml
synthesise --fsm -o newest newest.xml architecture.xml
far_enough() {
    [ "$(cat progress 2>/dev/null || true)" -gt 60 ] 2>/dev/null
}
signals=yes
case ${DAL_SANITIZER:-} in *thread*) signals= ;; esac
for half in -1 20; do
    for program in ${signals:+"ever INT" "ever TERM" "newest TERM"}; do
        signal=${program#* }
        rm -f progress
        start ${program% *}/ever $names -p A.Source.half=$half -p B.Sink.progress=progress
        until_so far_enough
        kill -$signal $running
        ended
        [ $status = 0 ] || fail "SIG$signal: exit status $status" messages
        [ ! -s messages ] || fail "SIG$signal" messages
        awk '/sent/ { sent[$1] = $3 } /received/ { received[$1] = $3 + 0; wrong += $4 }
             END { exit !(sent["A:"] && sent["A:"] == received["A:"] && sent["B:"] &&
                          sent["B:"] == received["B:"] && !wrong) }' output ||
            fail "SIG$signal: what was sent has not arrived" output
    done
done

# ---- an error of one ends all, and is named

run 1 ever/ever $names -p B.Sink.fails=20
expect "application B ended early: a process failed" messages
expect "A: sent" output
expect "A: received" output

# ---- the command line

run 0 ever/ever --help
expect "A.Source.limit=0" output
run 0 ever/ever --check
run 2 ever/ever -p Source.limit=3
run 2 ever/ever -p A.Source.limits=3
expect "process Source has no parameter limits" messages
run 2 ever/ever -p C.Source.limit=3
expect "no application C" messages
run 2 ever/ever --event-queue=0
run 2 smooth/smooth --event-queue=5
run 0 ever/ever $names --event-queue=1 -p A.Source.limit=5 -p B.Source.limit=5

# ---- sources called like the files that are made

mkdir names
cp source.c names/net.c
cp sink.c names/fsm.c
sed 's/source\.c/net.c/; s/sink\.c/fsm.c/' network.xml >names/network.xml
cp mapping.xml names
sed 's/"ever"/"names"/' ever.xml >names/fsm.xml
(cd names && synthesise --fsm -o out fsm.xml ../architecture.xml &&
    synthesise -o alone network.xml ../architecture.xml mapping.xml)

run 0 names/out/names $names -p A.Source.limit=5 -p B.Source.limit=5
run 0 names/alone/counter -p Source.limit=5
expect "received 5, 0 wrong" output

# ---- without a state machine nobody takes events

DAL_STATS=1 run 0 names/alone/counter -p Source.limit=5 -p Source.half=2 -p Source.enough=3
expect "events ignored: 3" messages

# ---- what is wrong with a file that both applications read is told once; a state machine without --fsm is told

two_cores '<variable name="z" value="2"/>' '<variable name="y" value="2"/>' >unknown.xml
machine twice network.xml unknown.xml network.xml unknown.xml <life.states >twice.xml
run 1 "$dalsynth" --fsm --check twice.xml architecture.xml
for name in y z; do
    [ "$(grep -cF "[unknown-variable] the network has no variable '$name'" messages)" = 1 ] || fail "not told once: $name" messages
done
refuse "[xml-root] the root element is 'fsm', but 'processnetwork' is expected; this is a state machine: give it with --fsm" twice.xml
echo "all as expected"
