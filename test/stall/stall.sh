#!/usr/bin/env bash
# What is no stall: firings and launches that have become slow, a program that was stopped for a
# while. And that it can be ended meanwhile, with all that it printed.
set -euo pipefail

source=${DAL_SRCDIR:?}/test/stall/input
dalsynth=${DAL_BUILDDIR:?}/synth/dalsynth
work=$(mktemp -d "${TMPDIR:-/tmp}/dal-stall.XXXXXX")
running=
trap '[ -z "$running" ] || kill -KILL "$running" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "FAIL: $*"
    tail -n 20 messages out 2>/dev/null
    exit 1
}

build() { # NETWORK MAPPING
    "$dalsynth" -o "$1-$2" "$source/$1.xml" "$source/machine.xml" "$source/$1-$2.xml" >log 2>&1 ||
        fail "$1, $2: $(cat log)"
}

start() { # PROGRAM OPTION...: in the background, with the signals that a terminal's program has
    rm -f mark
    env --default-signal=INT,TERM "$@" >out 2>messages &
    running=$!
}

ended() { # sets status
    status=0
    wait $running || status=$?
    running=
}

until_there() { # FILE: waits until it exists, and has something in it
    until [ -s "$1" ]; do
        kill -0 $running 2>/dev/null || fail "it ended by itself"
        sleep 0.05
    done
}

marked() {
    until [ -e mark ]; do
        kill -0 $running 2>/dev/null || fail "it ended by itself"
        sleep 0.05
    done
}

build slow one
build slow two

# 200 firings of 20 ms after 20,000 of nothing: there is always something to see.
for mapping in one two; do
    for process in first second third; do
        start slow-$mapping/slow -p $process.slow=1 --stall-timeout=2
        ended
        [ "$status $(cat out)" = "0 20200 numbers" ] || fail "$mapping, slow $process: $status"
    done
done

# Half a second each, for ever: a stop is heeded between two of them, and what was sent arrives.
for mapping in one two; do
    start slow-$mapping/slow -p first.slow=1 -p first.nap=500 -p first.count=2000000000 \
        -p first.mark=mark
    marked
    kill -TERM $running
    ended
    read -r numbers _ <out
    [[ $status -eq 0 && $numbers -ge 20000 && $numbers -lt 20100 ]] ||
        fail "$mapping, stopped: $status, $numbers"
done

# Stopped in the middle of a firing, for longer than a stall may last.
start slow-two/slow -p second.slow=1 -p second.from=10 -p second.nap=1000 -p first.count=13 \
    -p second.mark=mark --stall-timeout=2
marked
kill -STOP $running
sleep 5
kill -CONT $running
ended
[ "$status $(cat out)" = "0 13 numbers" ] || fail "stopped and continued: $status"

# A firing that does not return, after it has printed: what was printed is there, whether the program
# gives up or a third signal ends it.
mkdir spin && cd spin
cat >spin.c <<'END'
#include <dal.h>
int spin_fire(DALProcess *p)
{
    static volatile int go_on = 1;
    FILE *file;
    DAL_printf("printed before\n");
    file = fopen(DAL_getParameter("mark", p), "w");
    if (file)
        fclose(file);
    while (go_on)
        ;
    return 1;
}
END
cat >spin.xml <<'END'
<processnetwork name="spin">
  <process name="spin" type="local">
    <source type="c" location="spin.c"/><parameter name="mark" value="mark"/>
  </process>
</processnetwork>
END
cat >map.xml <<'END'
<mapping name="map" processnetwork="spin">
  <binding name="b"><process name="spin"/><processor name="core_0"/></binding>
</mapping>
END
cd ..
"$dalsynth" -o spin-one spin/spin.xml "$source/machine.xml" spin/map.xml >log 2>&1 || fail "spin: $(cat log)"
start spin-one/spin
marked
kill -TERM $running
until grep -q "^SigPnd.*0$" /proc/$running/status && grep -q "^ShdPnd.*0$" /proc/$running/status; do sleep 0.02; done
sleep 0.1
kill -TERM $running
until_there out
kill -TERM $running 2>/dev/null || true
ended
[[ $(cat out) = "printed before" && $status -ne 0 ]] || fail "three signals: $status"
start spin-one/spin --stall-timeout=0.2
ended
[ "$status $(cat out)" = "1 printed before" ] || fail "given up: $status"
grep -q "process spin: its firing does not return; giving up" messages || fail "who spins is not named"

if [ "${OCL_ICD_VENDORS:-}" != /nowhere ] && "$DAL_BUILDDIR"/tools/dalinfo --architecture | grep -q OPENCL; then
    build kernel device
    # Longer than --stall-timeout, each launch alone perhaps and all of them for sure.
    DAL_TRACE=trace.json kernel-device/kernel --stall-timeout=1 >out 2>messages ||
        fail "long launches: $?"
    [ "$(cat out)" = "96 numbers" ] || fail "long launches"
    # A launch takes less than a second, or has but one firing for each compute unit.
    sed -n 's/.*"name":"second".*"dur":\([0-9.]*\),.*"firings":\([0-9]*\).*/\1 \2/p' trace.json >launches
    awk -v units="$(nproc --all)" '{ time += $1; if ($2 > most) most = $2 }
        END { exit !(NR > 0 && (time / NR < 1e6 || most <= units)) }' launches ||
        fail "launches of microseconds and firings: $(cat launches)"
    # Five times as long, so that a fast device is caught at it as well.
    cp -r "$source" longer
    sed -i 's/20000000u/100000000u/' longer/long.cl
    source=$PWD/longer build kernel device
    status=0
    kernel-device/kernel --device-timeout=0.02 >out 2>messages || status=$?
    [ $status -eq 1 ] || fail "device timeout: exit status $status"
    grep -q "(--device-timeout)" messages || fail "no device timeout"
    grep -q "process second: .* in flight on " messages || fail "what is in flight is not named"
fi
echo "what runs is no stall"
