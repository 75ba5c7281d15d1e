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
fi

echo "$passed passed"
