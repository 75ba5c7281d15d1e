#!/usr/bin/env bash
# KPN processes: variable rates beside fixed ones, on any mapping; deadlocks resolved or reported;
# a network that stands still is ended; what the analysis says of the static part.
set -euo pipefail

work=$(mktemp -d "${TMPDIR:-/tmp}/dal-kpn.XXXXXX")
busy=()
trap 'kill "${busy[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
source=${DAL_SRCDIR:?}/test/kpn/input
dalsynth=${DAL_BUILDDIR:?}/synth/dalsynth
failures=0

fail() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

build() { # NETWORK MAPPING
    "$dalsynth" -o "$work/$1-$2" "$source/$1.xml" "$source/machine.xml" "$source/$1-$2.xml"
}

run() { # NETWORK MAPPING OPTION...: standard output in $out, standard error in $err
    local program=$work/$1-$2/$1
    shift 2
    status=0
    "$program" "$@" >"$work/out" 2>"$work/err" || status=$?
    out=$(sort "$work/out")
    err=$(cat "$work/err")
}

succeeds() { # OUTPUT NETWORK MAPPING OPTION...
    local expected=$1
    shift
    run "$@"
    [ "$status" = 0 ] || fail "$*: exit status $status: $err"
    [ "$out" = "$expected" ] || fail "$*: \"$out\" is not \"$expected\""
}

fails() { # WORDS NETWORK MAPPING OPTION...
    local words=$1
    shift
    run "$@"
    [ "$status" = 1 ] || fail "$*: exit status $status"
    [[ $err == *$words* ]] || fail "$*: no \"$words\" in: $err"
}

device=split-device
[ "${OCL_ICD_VENDORS:-}" = /nowhere ] && device= # no driver is made for ThreadSanitizer
for one in direct-two loop-two rle-one rle-two split-one split-two $device dead-two misuse-two; do
    build "${one%-*}" "${one#*-}"
done

run direct two
numbers=$out
succeeds "$numbers" rle one
succeeds "$numbers" rle two
succeeds "$numbers" rle two --max-memory=0 # nothing of it has to grow

run split one
pairs=$out
[[ $err == *"channel left: grown from 4 to 8 tokens"* ]] || fail "left has not grown: $err"
succeeds "$pairs" split two
run split one -p split.burst=1
small=$out
succeeds "$small" split two -p split.burst=1
fails "--max-memory allows" split two --max-memory=64
fails "process merge waits for 1 token of channel right (0 of 1 there), which process split writes" \
    split two --max-memory=0
run split two -p split.burst=2500
[ "$status" = 0 ] || fail "split with large bursts: $err"
# One full channel is at the device, which has none that grows; the other two hold what is needed.
if [ -n "$device" ]; then
    fails "since a device uses it" split device
    succeeds "$small" split device -p split.burst=1
fi

fails "deadlock: these processes wait for each other's tokens" dead two
fails "process two waits for 1 token of channel there (0 of" dead two

# A thread that is not scheduled for a while has perhaps released half of its windows, and is no one
# who waits.
for _ in 1 2 3 4; do
    while :; do :; done &
    busy+=($!)
done
for _ in 1 2 3 4 5; do
    succeeds "10000 rounds" loop two -p turn.rounds=10000
done
kill "${busy[@]}"
wait "${busy[@]}" 2>/dev/null || busy=()

succeeds "0 numbers, checksum 0000000000000000" misuse two
fails "DAL_read on port out, which is an output port" misuse two -p misuse.what=direction
fails "port out is used again before its window is ended" misuse two -p misuse.what=window
fails "no token has moved for 0.1 s" misuse two -p misuse.what=spin --stall-timeout=0.1
[[ $err == *"process misuse: its firing does not return"* ]] || fail "who spins is not named: $err"
run misuse two -p misuse.what=part
[[ $status$err == 0*"has only 3 of 4 bytes and is lost"* ]] || fail "a part of a token: $err"
for bad in --stall-timeout=x --stall-timeout=-1 --max-memory=1T --max-memory=; do
    run misuse two "$bad"
    [ "$status" = 2 ] || fail "$bad: exit status $status"
done

# A stop request drains: the source is fired no more, the rest arrives.
"$work/rle-two/rle" -p numbers.count=2000000000 >"$work/out" &
until grep -q "the first number" "$work/out"; do
    kill -0 $! || { fail "it ended by itself" && break; }
    sleep 0.02
done
kill -INT $!
wait $! || fail "interrupted: exit status $?"
grep "numbers, checksum" "$work/out" | grep -qv "^2000000000 " || fail "interrupted: nothing, or all, arrived"

"$dalsynth" --analyze=json "$source/split.xml" 2>/dev/null >"$work/json"
for part in '"repetition":{"numbers":1,"copy":1,"watch":1,"print":1}' \
    '"not_covered":{"processes":["split","merge"],"channels":["plain","left","watched","copied","right","pairs"]}'; do
    grep -qF "$part" "$work/json" || fail "no $part in the analysis: $(cat "$work/json")"
done
"$dalsynth" --analyze "$source/rle.xml" 2>/dev/null | grep -q "channel runs: encode -> decode" ||
    fail "the table does not name what is not covered"
"$dalsynth" --export-sdf3 "$source/rle.xml" >"$work/out" 2>&1 && fail "a dynamic rate was exported"

[ "$failures" = 0 ] && echo "all KPN networks behave"
exit $((failures > 0))
