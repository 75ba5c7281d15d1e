#!/usr/bin/env bash
# Times that a run measures, and what becomes of them: the file that DAL_TIMES writes, dalsynth reads; it goes for the
# same sources, whatever else changes, and for no others.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp "$input"/* .
"$dalinfo" --architecture -o machine.xml

# median FILE PROCESS: in nanoseconds, as it stands there
median() {
    awk -v name="\"process\": \"$2\"" 'index($0, name) { mine = 1 }
        mine && match($0, /"median": [0-9.]+/) { print substr($0, RSTART + 10, RLENGTH - 10); exit }' "$1"
}

# longer FILE PROCESS FACTOR OTHER: does a firing take so many times as long as one of another process?
longer() {
    awk -v one="$(median "$1" "$2")" -v factor="$3" -v other="$(median "$1" "$4")" \
        'BEGIN { exit !(one > factor * other && other > 0) }'
}

# used FILE PROCESS MAPPING: does the analysis take the median of that file, and say nothing of its age?
used() {
    "$dalsynth" --analyze --times="$1" chain.xml machine.xml "$3" >out 2>log || return 1
    ! grep -q 'stale-times' log && awk -v name="$2" -v median="$(median "$1" "$2")" \
        '$1 == name { found = $3 >= median - 0.51 && $3 <= median + 0.51 || ($3 == 1 && median < 1) } END { exit !found }' out
}

# sizes FILE PROCESS LIST: are launches of a process known for such numbers of firings, the least first?
# Each stands as its power of two: those of two and of three firings have one mean.
sizes() {
    awk -v name="\"process\": \"$2\"" -v wanted="$3" 'index($0, "\"process\": ") { mine = index($0, name) }
        mine && match($0, /"curve": \[[^]]*/) {
            count = split(substr($0, RSTART + 10, RLENGTH - 10), number, ", ")
            for (i = 1; i <= count; i += 3)
                list = list int(log(number[i + 1] / number[i]) / log(2) + 0.001) " "
        } END { exit index(list, wanted) != 1 || list == wanted }' "$1"
}

# firings FILE: of Heavy, that its mean is of
firings() {
    awk '/"process": / { mine = /"Heavy"/ } mine && match($0, /"firings": [0-9]+/) { print substr($0, RSTART + 11, RLENGTH - 11) }' "$1"
}

# stale PROCESS...: are these, and no others, measured with other sources?
stale() {
    "$dalsynth" --analyze --times=cores.json chain.xml machine.xml cores.xml >out 2>log || return 1
    [ "$(sed -n "s/^cores.json:[0-9]*: warning: \[stale-times\] process '\(.*\)' was.*/\1/p" log | sort | paste -s -d ' ')" = "$*" ]
}

# untimed: have two processes no times, without a word of old ones?
untimed() {
    grep -q '2 of 4 processes have no' log && ! grep -q stale log
}

# ---- cores ----------------------------------------------------------------------------------------

synthesise -o cores chain.xml machine.xml cores.xml
DAL_TIMES=cores.json run 0 cores/chain
for name in Source Light Heavy Sink; do
    expect "{\"process\": \"$name\", " cores.json
done
check "16 times the work, at least 4 times as long" "$(longer cores.json Heavy 4 Light; echo $?)"
check "source and place" "$(grep -q '"Light", "source": "pass.c", "type": "c", "on": "core"' cores.json; echo $?)"
if command -v python3 >/dev/null; then
    python3 - <<'END' || fail "the file of times" cores.json
import json
times = json.load(open("cores.json"))
assert times["dal-times"] == 2 and times["machine"]["cores"]
assert len(times["times"]) == 4
for entry in times["times"]:
    ns = entry["ns"]
    assert 0 <= ns["p10"] <= ns["median"] <= ns["p99"] and ns["mean"] > 0, entry
    assert 300 <= entry["firings"] <= 400 and entry["copies"] == 1 and entry["items"] == 1, entry
    assert len(entry["key"]) == 32, entry
keys = {entry["process"]: entry["key"] for entry in times["times"]}
assert len(set(keys.values())) == 4, keys
END
fi
for name in Source Light Heavy Sink; do
    check "the time of $name is read" "$(used cores.json $name cores.xml; echo $?)"
done
check "to build with" "$(synthesise --times=cores.json -o again chain.xml machine.xml cores.xml && [ ! -s made ]; echo $?)"
check "without a mapping" "$("$dalsynth" --analyze --times=cores.json chain.xml >out 2>log && [ ! -s log ]; echo $?)"

# A program that is made with other options of the environment has other times.
CFLAGS=-O0 synthesise -o slow chain.xml machine.xml cores.xml
DAL_TIMES=slow.json run 0 slow/chain
check "options of the environment" "$(! used slow.json Heavy cores.xml && [ "$(grep -c stale-times log)" -eq 4 ]; echo $?)"
check "the same options" "$(CFLAGS=-O0 used slow.json Heavy cores.xml; echo $?)"
check "other macros" "$(! CPPFLAGS=-DOTHER used cores.json Heavy cores.xml && grep -q stale-times log; echo $?)"
check "options that are empty" "$(CPPFLAGS='' used cores.json Heavy cores.xml; echo $?)"
if [ -z "${DAL_SANITIZER:-}" ]; then # which have a handler of their own
    synthesise --guard -o guarded chain.xml machine.xml cores.xml
    DAL_TIMES=guarded.json run 0 guarded/chain
    check "times with guards" "$(! used guarded.json Heavy cores.xml && [ "$(grep -c stale-times log)" -eq 4 ]; echo $?)"
fi

# Copies side by side, each with times of its own.
sed 's/core_0/core_*/' cores.xml >all.xml
sed 's/process name="Heavy" type="local"/& shadowcopies="2" stateless="true"/' chain.xml >copies.xml
synthesise -o all copies.xml machine.xml all.xml
DAL_TIMES=all.json run 0 all/chain
check "copies: how many" "$(grep -A1 '"Heavy"' all.json | grep -q '"copies": 2, '; echo $?)"
check "copies: 16 times the work" "$(longer all.json Heavy 4 Light; echo $?)"
check "copies: all firings" "$(awk '/"Heavy"/ { mine = 1 } mine && match($0, /"firings": [0-9]+/) {
    firings = substr($0, RSTART + 11, RLENGTH - 11); exit } END { exit !(firings >= 100 && firings <= 400) }' all.json; echo $?)"

# ---- what goes on being right, and what does not --------------------------------------------------

# changed WHAT FILE EXPRESSION PROCESS...: with that file changed, these processes have no times any more.
changed() {
    local what=$1 file=$2 expression=$3
    shift 3
    cp "$file" kept
    sed -i "$expression" "$file"
    ! cmp -s "$file" kept || fail "$what: nothing is changed" "$file"
    check "$what" "$(stale "$@"; echo $?)"
    mv kept "$file"
}
check "nothing is changed" "$(stale; echo $?)"
changed "another size" chain.xml 's/size="64"/size="128"/'
changed "another variable that no source mentions" chain.xml 's/name="other" value="1"/name="other" value="2"/'
changed "a new variable" chain.xml 's|.*name="other".*|&<variable name="third" value="3"/>|'
changed "another parameter" chain.xml 's|location="sink.c"/>|&<parameter name="x" value="3"/>|'
changed "a variable that a source mentions" chain.xml 's/name="tokens" value="400"/name="tokens" value="401"/' Source
changed "another source" sink.c 's/return 0/return 1 - 1/' Sink
changed "another header of it" work.h 's/1664525/1664527/' Heavy Light
changed "another option" chain.xml 's/pass.c" cflags="-DSTEPS=500"/pass.c" cflags="-DSTEPS=501"/' Light
changed "another rate" chain.xml 's/name="third" size="64"/& tokenratein="1" tokenrateout="2"/' Sink
changed "another size of tokens" chain.xml 's/\(name="first" .*\)tokensize="4"/\1tokensize="8"/' Light Source
changed "other names of ports" chain.xml '/process name="Sink"/,/source/s/name="in"/name="on"/; /target name="third"/!s/<target name="Sink"><port name="in"/<target name="Sink"><port name="on"/' Sink
changed "a process that is not measured" cores.json 's/"Sink"/"Sunk"/'
check "and then it has no time" "$(sed 's/"Sink"/"Sunk"/' cores.json >sunk.json
    "$dalsynth" --analyze --times=sunk.json chain.xml >out 2>log && grep -q '1 of 4 processes have no' log; echo $?)"
check "none of this network" "$(sed 's/"process": "/&X/' cores.json >none.json
    "$dalsynth" --analyze --times=none.json chain.xml >out 2>log && grep -q '^none.json: warning: \[unknown-process\]' log; echo $?)"

# ---- --profile ------------------------------------------------------------------------------------

# profile STATUS FILE SECONDS ARGUMENT...: of cores.xml; what is said goes to `log`
profile() {
    local wanted=$1 file=$2 seconds=$3 status=0
    shift 3
    "$dalsynth" --profile="$seconds" --times="$file" -o profiled "$@" chain.xml machine.xml cores.xml >out 2>log || status=$?
    [ "$status" -eq "$wanted" ]
}
count() { # FILE: entries
    grep -c '{"process": ' "$1"
}
check "profile: a new file" "$(profile 0 new.json 100 && [ ! -s out ] && [ ! -s log ] && [ "$(count new.json)" -eq 4 ]; echo $?)"
check "profile: it is used" "$(used new.json Heavy cores.xml; echo $?)"
check "profile: nothing is left" "$([ -z "$(TMPDIR=$work/empty && mkdir empty && export TMPDIR && profile 0 new.json 100 && ls -A empty)" ]; echo $?)"
check "profile: no folder for it" "$(TMPDIR=$work/nowhere profile 1 never.json 100 && [ ! -e never.json ] &&
    grep -q "no folder $work/nowhere/dalsynth-......: No such file" log; echo $?)"
cp new.json old.json
check "profile: again, instead of the first" "$(profile 0 new.json 100 && [ "$(count new.json)" -eq 4 ] && ! cmp -s new.json old.json; echo $?)"
sed -i 's/"process": "Sink"/"note": "mine, {]", "process": "Sunk"/' new.json
check "profile: others stay as they are" "$(profile 0 new.json 100 && [ "$(grep -c '"process": "' new.json)" -eq 5 ] &&
    grep -qF '"note": "mine, {]", "process": "Sunk"' new.json; echo $?)"
sed 's|return 0|return 2 - 2|' sink.c >other.c && mv other.c sink.c
check "profile: an older source's stays" "$(grep -c '"process": "Sink"' new.json >before
    profile 0 new.json 100 && [ "$(grep -c '"process": "Sink"' new.json)" -eq $(($(cat before) + 1)) ] &&
    "$dalsynth" --analyze --times=new.json chain.xml machine.xml cores.xml >out 2>log && [ ! -s log ]; echo $?)"
cp "$input/sink.c" .
check "profile: interrupted in the middle" "$(profile 0 long.json 3 -D tokens=2000000000 && [ "$(count long.json)" -eq 4 ]; echo $?)"

cp new.json kept.json
same() { # the file of times, to the byte
    cmp -s new.json kept.json
}
check "profile: a program that fails" "$(sed -i 's|unsigned number;|&\n    DAL_fail(p, "not today");|' pass.c
    profile 1 new.json 100 && grep -q 'not today' log && same; echo $?)"
cp "$input/pass.c" .
if [ -z "${DAL_SANITIZER:-}" ]; then # which have a handler of their own
    check "profile: a program that crashes" "$(sed -i 's|unsigned number;|&\n    *(volatile int *)0 = 1;|' pass.c
        profile 1 new.json 100 && grep -q 'SIGSEGV in fire.* of pass.c' log && grep -q 'was ended by signal 11' log && same; echo $?)"
fi
cp "$input/pass.c" .
check "profile: other cores" "$(sed 's/"cores": "[^"]*"/"cores": "Z80"/' new.json >z80.json && cp z80.json z80.kept
    rm -rf profiled && profile 1 z80.json 100 && grep -q "those of other cores, 'Z80'" log && cmp -s z80.json z80.kept && [ ! -e profiled ]; echo $?)"
check "profile: a file by hand" "$(echo '{"Source": 1}' >hand.json && profile 1 hand.json 100 && grep -q '^hand.json:.*bad-times' log &&
    [ "$(cat hand.json)" = '{"Source": 1}' ]; echo $?)"
check "profile: a file that cannot be made" "$(profile 1 nowhere/new.json 100 && grep -q nowhere/new.json log; echo $?)"
for seconds in 0 -1 x '' nan; do
    check "profile: '$seconds' seconds" "$(profile 2 new.json "$seconds"; echo $?)"
done
check "profile: without a file" "$("$dalsynth" --profile=1 -o profiled chain.xml machine.xml cores.xml 2>log; [ $? -eq 2 ]; echo $?)"
check "profile: --check" "$(profile 2 new.json 1 --check; echo $?)"
check "profile: --emit-only" "$(profile 2 new.json 1 --emit-only; echo $?)"
check "profile: --analyze" "$(profile 2 new.json 1 --analyze; echo $?)"
check "profile: nothing has changed" "$(same; echo $?)"

# ---- devices --------------------------------------------------------------------------------------

if has_device machine.xml; then
    synthesise -o devices chain.xml machine.xml devices.xml
    DAL_TIMES=devices.json run 0 devices/chain --strict
    check "kernels: 16 times the work takes longer" "$(longer devices.json Heavy 1 Light; echo $?)"
    check "kernels: source and type" "$(grep -q '"Heavy", "source": "pass.cl", "type": "opencl", "on": "[CGA][A-Z]*_.*_DEV1"' devices.json; echo $?)"
    check "kernels: S" "$(grep -q '"copies": 8, "items": 1, ' devices.json; echo $?)"
    check "kernels: their times are read" "$(used devices.json Heavy devices.xml; echo $?)"
    check "kernels: not as those of a core" "$("$dalsynth" --analyze --times=devices.json chain.xml machine.xml cores.xml >out 2>log &&
        untimed; echo $?)"
    check "cores: not as those of kernels" "$("$dalsynth" --analyze --times=cores.json chain.xml machine.xml devices.xml >out 2>log &&
        untimed; echo $?)"

    # A sub-device has the name that the architecture gives it.
    "$dalinfo" --architecture --sub-devices=2 -o halves.xml
    if grep -q '_SUB2"' halves.xml; then
        sed 's/device_0/device_1/' devices.xml >half.xml
        synthesise -o half chain.xml halves.xml half.xml
        DAL_TIMES=half.json run 0 half/chain --strict
        expect "\"on\": $(grep -o '"[^"]*_SUB2"' halves.xml)" half.json
        check "kernels: times of a sub-device are read" "$("$dalsynth" --analyze --times=half.json chain.xml halves.xml half.xml >out 2>log &&
            ! untimed; echo $?)"
    fi

    # A profile has launches of other sizes; the network computes the same.
    check "kernels: a profile" "$("$dalsynth" --profile=100 --times=curve.json -o devices chain.xml machine.xml \
        devices.xml >out 2>log; echo $?)"
    check "kernels: a profile has launches of 1, 2, 4 and more firings" "$(sizes curve.json Heavy '0 1 '; echo $?)"
    check "kernels: a profile without" "$(DAL_LAUNCH_SIZES=0 "$dalsynth" --profile=100 --times=plain.json -o devices chain.xml \
        machine.xml devices.xml >out 2>log && ! sizes plain.json Heavy '0 1 '; echo $?)"
    check "kernels: a run has those of its own" "$(! sizes devices.json Heavy '0 1 '; echo $?)"
    check "kernels: a curve is read" "$(used curve.json Heavy devices.xml; echo $?)"
    sed -i 's/    return 0;/    printf("%u\\n", number);\n&/; s/#include.*/&\n#include <stdio.h>/' sink.c
    synthesise -o told chain.xml machine.xml devices.xml
    for tries in 0 1; do
        DAL_LAUNCH_SIZES=$tries DAL_STATS=sizes.json DAL_TIMES=sizes-$tries.json run 0 told/chain --strict
        cp output told-$tries
    done
    check "kernels: all is computed" "$([ "$(wc -l <told-0)" -eq 400 ]; echo $?)"
    check "kernels: the same is computed" "$(cmp told-0 told-1; echo $?)"
    check "kernels: other sizes" "$(sizes sizes-1.json Heavy '0 1 ' && ! sizes sizes-0.json Heavy '0 1 '; echo $?)"
    check "kernels: what tries a size is not in the mean" "$([ "$(firings sizes-1.json)" -lt "$(firings sizes-0.json)" ]; echo $?)"
    check "kernels: sizes in statistics" "$(grep '"process": "Heavy"' sizes.json | grep -q '"curve": \[[0-9]*, [0-9]*, '; echo $?)"
fi

echo "$passed passed"
