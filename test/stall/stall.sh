#!/usr/bin/env bash
# What is no stall: firings and launches that have become slow, a program that was stopped for a
# while. And that it can be ended meanwhile, with all that it printed.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

build() { # NETWORK MAPPING
    synthesise -o "$1-$2" "$input/$1.xml" "$input/machine.xml" "$input/$1-$2.xml"
}

start_anew() { # PROGRAM OPTION...
    rm -f mark
    start "$@"
}

# ended_with STATUS OUTPUT WHAT
ended_with() {
    ended
    [ "$status $(cat output)" = "$1 $2" ] || fail "$3: exit status $status" output messages
}

build slow one
build slow two

# 200 firings of 20 ms after 20,000 of nothing: there is always something to see.
for mapping in one two; do
    for process in first second third; do
        start_anew slow-$mapping/slow -p $process.slow=1 --stall-timeout=2
        ended_with 0 "20200 numbers" "$mapping, slow $process"
    done
done

# Half a second each, for ever: a stop is heeded between two of them, and what was sent arrives.
for mapping in one two; do
    start_anew slow-$mapping/slow -p first.slow=1 -p first.nap=500 -p first.count=2000000000 \
        -p first.mark=mark
    until_so [ -e mark ]
    kill -TERM $running
    ended
    read -r numbers _ <output
    [[ $status -eq 0 && $numbers -ge 20000 && $numbers -lt 20100 ]] ||
        fail "$mapping, stopped: $status, $numbers" messages
done

# Stopped in the middle of a firing, for longer than a stall may last.
start_anew slow-two/slow -p second.slow=1 -p second.from=10 -p second.nap=1000 -p first.count=13 \
    -p second.mark=mark --stall-timeout=2
until_so [ -e mark ]
kill -STOP $running
sleep 5
kill -CONT $running
ended_with 0 "13 numbers" "stopped and continued"

# A firing that does not return, after it has printed: what was printed is there, whether the program
# gives up or a third signal ends it.
build spin one
start_anew spin-one/spin
until_so [ -e mark ]
kill -TERM $running
until grep -q "^SigPnd.*0$" /proc/$running/status && grep -q "^ShdPnd.*0$" /proc/$running/status; do sleep 0.02; done
sleep 0.1
kill -TERM $running
until_so [ -s output ]
kill -TERM $running 2>/dev/null || true
ended
[[ $(cat output) = "printed before" && $status -ne 0 ]] || fail "three signals: $status" output messages
start_anew spin-one/spin --stall-timeout=0.2
ended_with 1 "printed before" "given up"
expect "process spin: its firing does not return; giving up" messages

if [ "${OCL_ICD_VENDORS:-}" != /nowhere ] && "$dalinfo" --architecture | grep OPENCL >/dev/null; then
    build kernel device
    # Longer than --stall-timeout, each launch alone perhaps and all of them for sure.
    DAL_TRACE=trace.json run 0 kernel-device/kernel --stall-timeout=1
    [ "$(cat output)" = "96 numbers" ] || fail "long launches" output
    # A launch takes less than a second, or has but one firing for each compute unit.
    sed -n 's/.*"name":"second".*"dur":\([0-9.]*\),.*"firings":\([0-9]*\).*/\1 \2/p' trace.json >launches
    awk -v units="$(nproc --all)" '{ time += $1; if ($2 > most) most = $2 }
        END { exit !(NR > 0 && (time / NR < 1e6 || most <= units)) }' launches ||
        fail "launches of microseconds and firings" launches
    # Five times as long, so that a fast device is caught at it as well.
    cp -r "$input" longer
    sed -i 's/20000000u/100000000u/' longer/long.cl
    input=$PWD/longer build kernel device
    run 1 kernel-device/kernel --device-timeout=0.02
    expect "(--device-timeout)" messages
    grep -q "process second: .* in flight on " messages || fail "what is in flight is not named" messages

    # The device has nothing more to do, for longer than it may take, and is no reason to look at nothing else.
    build late device
    run 0 late-device/late -p K.nap=2500 --device-timeout=1
    [ "$(cat output)" = "a6 b0 b1 b2 b3 b4 b5 d0 d10 d20 d30 " ] || fail "the device's part ends first" output messages
    expect "channel b: grown from 4 to 8 tokens" messages
    run 1 late-device/late --max-memory=0
    expect "process K waits for 1 token of space of channel b (4 of 4 there)" messages
    run 1 late-device/late -p K.nap=60000 --stall-timeout=1
    expect "no token has moved for 1 s" messages
fi

# A process that deals with the world may take as long as it likes, or as it is given.
sed 's/name="first" type="local"/name="first" type="io"/' "$input/slow.xml" >slow.xml
cp "$input"/*.[ch] "$input/slow-one.xml" .
synthesise -o slow-io slow.xml "$input/machine.xml" slow-one.xml
run 0 slow-io/slow -p first.slow=1 -p first.nap=1500 -p first.count=2 -p first.from=0 --stall-timeout=0.5
run 1 slow-io/slow -p first.slow=1 -p first.nap=1500 -p first.count=2 -p first.from=0 --io-timeout=0.5
expect "a process of type io has not come back for 0.5 s (--io-timeout)" messages
expect "process first: its firing has not returned" messages
echo "what runs is no stall"
