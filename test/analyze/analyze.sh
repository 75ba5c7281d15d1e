#!/usr/bin/env bash
# dalsynth --analyze, --times, --import-sdf3, --export-sdf3, as a user calls them.
set -euo pipefail

source=${DAL_SRCDIR:?}
dalsynth=${DAL_BUILDDIR:?}/synth/dalsynth
graphs=$source/test/analyze/input
work=$(mktemp -d "${TMPDIR:-/tmp}/dal-analyze.XXXXXX")
trap 'rm -rf "$work"' EXIT

passed=0 failed=0

check() { # WHAT: after a command; its status counts
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $1"
        tail -n 20 "$work/log" "$work/out" 2>/dev/null || true
    fi
}

# run STATUS ARGUMENT...: standard output in $work/out, standard error in $work/log
run() {
    local wanted=$1 status=0
    shift
    "$dalsynth" "$@" >"$work/out" 2>"$work/log" </dev/null || status=$?
    [ "$status" -eq "$wanted" ]
}

json() { # STATUS EXPECTED-FILE ARGUMENT...
    local status=$1 expected=$2
    shift 2
    run "$status" --analyze=json "$@" && diff -u "$graphs/$expected" "$work/out"
}

says() { grep -qF -e "$1" "$work/out" "$work/log"; }

# Published numbers, to the byte.
for graph in samplerate h263decoder; do
    check "$graph" "$(json 0 $graph.json "$graphs/$graph.xml" >&2; echo $?)"
    check "$graph, trade-offs" "$(json 0 $graph-pareto.json --pareto "$graphs/$graph.xml" >&2; echo $?)"
    check "$graph, table" "$(run 0 --analyze "$graphs/$graph.xml" && says "consistent" && says "fastest"; echo $?)"
done

# Refusals, each with a way out that works.
check "deadlock" "$(json 1 deadlock.json "$graphs/deadlock.xml" >&2; echo $?)"
check "deadlock: message" "$(says "[deadlock]" && says "initialtokens=\"2\" on sw_channel 'CA'"; echo $?)"
sed '/name="CA"/s/initialtokens="1"/initialtokens="2"/' "$graphs/deadlock.xml" >"$work/live.xml"
check "deadlock: the fix" "$(run 0 --analyze=json "$work/live.xml" && says '"deadlock":null'; echo $?)"
check "inconsistent" "$(json 1 inconsistent.json "$graphs/inconsistent.xml" >&2; echo $?)"
check "inconsistent: message" "$(says "tokenratein=\"5\" tokenrateout=\"4\" on sw_channel 'bc' (now 3 and 2) all rates fit; no fewer"; echo $?)"
sed '/name="bc"/s/in="3" tokenrateout="2"/in="5" tokenrateout="4"/' "$graphs/inconsistent.xml" >"$work/sound.xml"
check "inconsistent: the fix" "$(run 0 --analyze=json "$work/sound.xml" && says '"consistent":true'; echo $?)"
sed '/name="ch2"/s/tokenratein/size="3" tokenratein/' "$graphs/samplerate.xml" >"$work/small.xml"
check "a size that is too small" "$(run 1 --analyze=json "$work/small.xml" && says '"fix":{"initialtokens":{},"size":{"ch2":4},"smallest":true}'; echo $?)"
sed 's/size="3"/size="4"/' "$work/small.xml" >"$work/large.xml"
check "the size that works" "$(run 0 --analyze=json "$work/large.xml"; echo $?)"

# A deadlock of rates that nobody gave says so, with their places.
sed 's/tokenrate[a-z]*="1"//g' "$graphs/deadlock.xml" >"$work/unsaid.xml"
line=$(grep -n 'name="CA"' "$work/unsaid.xml" | head -n 1 | cut -d: -f1)
check "rates that nobody gave" "$(run 1 --analyze "$work/unsaid.xml" &&
    says "unsaid.xml:$line: note: sw_channel 'CA' does not say tokenratein and tokenrateout, taken to be 1"; echo $?)"

# No bound, fractions, no times, sizes given.
sed '/<sw_channel.*name="loop_/,/<\/sw_channel>/d; /<connection name="loop_/,/<\/connection>/d; /loop_/d' \
    "$graphs/samplerate.xml" >"$work/free.xml"
check "no bound" "$(run 0 --analyze=json "$work/free.xml" && says '"period_unbounded":"no bound"' && says '"fastest":null'; echo $?)"
check "no bound, in words" "$(run 0 --analyze "$work/free.xml" && says 'no bound on throughput'; echo $?)"
sed 's/ executiontime="5"//' "$graphs/samplerate.xml" >"$work/untimed.xml"
check "a missing time" "$(run 0 --analyze "$work/untimed.xml" && says '[no-times] 1 of 6 processes'; echo $?)"
cat >"$work/ring.xml" <<'XML'
<processnetwork name="ring">
  <process name="a" executiontime="3"><port type="input" name="in"/><port type="output" name="out"/></process>
  <process name="b" executiontime="4"><port type="input" name="in"/><port type="output" name="out"/></process>
  <sw_channel type="fifo" name="ab" size="9"><port type="input" name="in"/><port type="output" name="out"/></sw_channel>
  <sw_channel type="fifo" name="ba" size="9" initialtokens="2"><port type="input" name="in"/><port type="output" name="out"/></sw_channel>
  <connection name="1"><origin name="a"><port name="out"/></origin><target name="ab"><port name="in"/></target></connection>
  <connection name="2"><origin name="ab"><port name="out"/></origin><target name="b"><port name="in"/></target></connection>
  <connection name="3"><origin name="b"><port name="out"/></origin><target name="ba"><port name="in"/></target></connection>
  <connection name="4"><origin name="ba"><port name="out"/></origin><target name="a"><port name="in"/></target></connection>
</processnetwork>
XML
sed -i 's/connection name="/connection name="c/' "$work/ring.xml"
check "a fraction" "$(run 0 --analyze=json "$work/ring.xml" && says '"period_unbounded":"7/2"' && says '"given":{"capacities":{"ab":9,"ba":9},"total":18,"period":"7/2"}'; echo $?)"
check "two files" "$(run 2 --analyze=json "$work/ring.xml" "$work/ring.xml"; echo $?)"

# Which source a process has is the mapping's choice, and with it the time.
cat >"$work/machine.xml" <<'XML'
<architecture name="machine">
  <processor name="core" type="RISC"><capability name="POSIX" identifier="0"/></processor>
</architecture>
XML
chosen() { # SOURCE
    cat >"$work/choice.xml" <<XML
<mapping name="choice" processnetwork="one">
  <binding name="b"><process name="a" sourceid="$1"/><processor name="core"/></binding>
</mapping>
XML
    run 0 --analyze=json "$work/one.xml" "$work/machine.xml" "$work/choice.xml"
}
cat >"$work/one.xml" <<'XML'
<processnetwork name="one">
  <process name="a" executiontime="5">
    <port type="input" name="in"/><port type="output" name="out"/>
    <source id="0" type="c" location="nowhere.c"/>
    <source id="1" type="c" location="nowhere.c" executiontime="4 * 2"/>
  </process>
  <sw_channel type="fifo" name="aa" initialtokens="1"><port type="input" name="in"/><port type="output" name="out"/></sw_channel>
  <connection name="c1"><origin name="a"><port name="out"/></origin><target name="aa"><port name="in"/></target></connection>
  <connection name="c2"><origin name="aa"><port name="out"/></origin><target name="a"><port name="in"/></target></connection>
</processnetwork>
XML
check "the process's time" "$(chosen 0 && says '"period_unbounded":5,'; echo $?)"
check "the source's own time" "$(chosen 1 && says '"period_unbounded":8,'; echo $?)"
check "a time from a file" "$(printf '{"a": 6}' >"$work/times.json" && run 0 --analyze=json --times="$work/times.json" "$work/one.xml" \
    "$work/machine.xml" "$work/choice.xml" && says '"period_unbounded":6,'; echo $?)"

# What keeps state does not fire beside itself: as with a channel to itself that has one token.
mkdir "$work/state"
cat >"$work/state/pair.xml" <<'XML'
<processnetwork name="pair">
  <process name="A" executiontime="6"><port type="output" name="out"/><source type="c" location="a.c"/></process>
  <process name="B" executiontime="10"><port type="input" name="in"/><source type="c" location="b.c"/></process>
  <sw_channel type="fifo" name="ab" size="8"><port type="input" name="in"/><port type="output" name="out"/></sw_channel>
  <connection name="c1"><origin name="A"><port name="out"/></origin><target name="ab"><port name="in"/></target></connection>
  <connection name="c2"><origin name="ab"><port name="out"/></origin><target name="B"><port name="in"/></target></connection>
</processnetwork>
XML
pair() { # WHAT-IS-SAID ARGUMENT...
    local said=$1
    shift
    run 0 --analyze "$@" "$work/state/pair.xml" && says "$said"
}
check "no source: it is said" "$(pair '2 of 2 processes have no source that can be read: taken to keep no state' &&
    says 'no bound on throughput' && says 'no mapping is used'; echo $?)"
check "no source, in JSON" "$(run 0 --analyze=json "$work/state/pair.xml" && says '"at_once":{},"state_unknown":["A","B"]' &&
    says '"processors":"unlimited","mapping":"not used"'; echo $?)"
echo 'int A_fire(DALProcess *p);' >"$work/state/a.c"
echo '#include "b.h"' >"$work/state/b.c"
echo 'struct _local_states { int sum; };' >"$work/state/b.h"
check "state, in a header" "$(run 0 --analyze=json "$work/state/pair.xml" && says '"period_unbounded":10,' &&
    says '"at_once":{"B":1},"state_unknown":[]'; echo $?)"
check "state, in words" "$(pair 'period: 10 time units' && says '1 (state)' && ! says 'can be read'; echo $?)"
sed -i 's/process name="B" ex/process name="B" stateless="true" ex/' "$work/state/pair.xml"
check "stateless by its word" "$(pair 'no bound on throughput'; echo $?)"
sed -i 's/ stateless="true"//' "$work/state/pair.xml"
rm "$work/state/b.h"
cat >"$work/state/core.xml" <<'XML'
<architecture name="machine">
  <processor name="core" type="RISC"><capability name="POSIX" identifier="0"/></processor>
</architecture>
XML
cat >"$work/state/map.xml" <<'XML'
<mapping name="map" processnetwork="pair"><binding name="b"><process name="*"/><processor name="core"/></binding></mapping>
XML
check "a C process on one core" "$(run 0 --analyze "$work/state/pair.xml" "$work/state/core.xml" "$work/state/map.xml" &&
    says 'period: 10 time units' && says '1 (mapping)' && says 'only sources, sizes and shadow copies'; echo $?)"
check "no star, no legend" "$(pair consistent && ! says '*'; echo $?)"
check "a star and its legend" "$(run 0 --analyze "$graphs/samplerate.xml" && says '  *' && says '* no limit'; echo $?)"

# The size of a channel to itself is obeyed: three tokens, but room for only one more.
sed '/name="aa"/s/initialtokens="1"/initialtokens="3" size="4"/' "$work/one.xml" >"$work/loop.xml"
check "the size of a channel to itself" "$(run 0 --analyze=json "$work/loop.xml" && says '"period_unbounded":5,' &&
    says '"minimum":{"capacities":{},"total":0,"period":5}' && says '"fastest":{"capacities":{},"total":0,"period":5}'; echo $?)"
check "its size, in the table" "$(run 0 --analyze "$work/loop.xml" && says '1 (channel to itself)' && ! says '*'; echo $?)"
check "no token on it" "$(sed 's/initialtokens="3"/initialtokens="0"/' "$work/loop.xml" >"$work/empty.xml"
    run 1 --analyze "$work/empty.xml" && says ' 0 (channel to itself)'; echo $?)"
check "no room for its tokens" "$(sed 's/size="4"/size="2"/' "$work/loop.xml" >"$work/full.xml"
    run 1 --analyze "$work/full.xml" && says ' 0 (channel to itself)'; echo $?)"
check "trade-offs with their capacities" "$(run 0 --analyze --pareto "$graphs/samplerate.xml" &&
    says 'trade-off with 33 tokens: ch1 1, ch2 4, ch3 8, ch4 14, ch5 6'; echo $?)"

# Times from a file.
times() { # STATUS JSON
    printf '%s' "$2" >"$work/times.json"
    run "$1" --analyze=json --times="$work/times.json" "$work/ring.xml"
}
check "times" "$(times 0 '{"a": 30, "b" : 41}' && says '"period_unbounded":"71/2"'; echo $?)"
check "times: none" "$(times 0 ' {} '; echo $?)"
for text in '' '{' '{"a":}' '{"a":-1}' '{"a":1.5}' '{"a":01}' '{"a":1,}' '{"a":1}x' '[1]' '{"a":99999999999999999999}' \
    '{"a" 1}' '{a:1}' '{"a":"1"}' '{"a":1 "b":2}' '{"a":1e3}'; do
    check "times: $text" "$(times 1 "$text" && says '[bad-times]'; echo $?)"
done
check "times: a name twice" "$(times 1 '{"a":1,"a":2}' && says '[duplicate-name]'; echo $?)"
check "times: a name that is not there" "$(times 1 '{"a":1,
    "z":2}' && says 'times.json:2: error: [unknown-process]'; echo $?)"
check "times: a file that is not there" "$(run 1 --analyze --times="$work/nothing" "$work/ring.xml" && says '[file]'; echo $?)"

# A search that is cut off says so.
check "cut off" "$(run 0 --analyze=json --time-limit=0.000001 "$graphs/h263decoder.xml" && says '"fastest":null'; echo $?)"
for value in 0 -1 x ''; do
    check "time limit '$value'" "$(run 2 --analyze --time-limit="$value" "$graphs/samplerate.xml"; echo $?)"
done
check "what form" "$(run 2 --analyze=xml "$graphs/samplerate.xml"; echo $?)"

# SDF3, there and back.
for graph in samplerate h263decoder deadlock; do
    check "SDF3: $graph, out" "$(run 0 --export-sdf3 "$graphs/$graph.xml" && cp "$work/out" "$work/$graph.sdf3"; echo $?)"
    check "SDF3: $graph, in" "$(run 0 --import-sdf3 "$work/$graph.sdf3" && cp "$work/out" "$work/$graph.xml"; echo $?)"
    status=0
    [ $graph = deadlock ] && status=1
    check "SDF3: $graph" "$(json $status $graph.json "$work/$graph.xml" >&2; echo $?)"
    check "SDF3: $graph, again" "$(run 0 --export-sdf3 "$work/$graph.xml" && cmp "$work/out" "$work/$graph.sdf3" >&2; echo $?)"
done
check "SDF3: a graph as it is published" "$(run 0 --import-sdf3 "$graphs/published.sdf3" && cp "$work/out" "$work/published.xml" &&
    json 0 published.json "$work/published.xml" >&2; echo $?)"
for file in "$graphs"/bad/*.sdf3; do
    line=$(sed -n 's/.*<!-- expect: \(.*\) -->.*/\1/p' "$file")
    check "SDF3: $(basename "$file")" "$(run 1 --import-sdf3 "$file" && says "$line" && [ ! -s "$work/out" ]; echo $?)"
done
check "SDF3: no folder to burn in" "$(run 2 --import-sdf3 --burn "$work/samplerate.sdf3"; echo $?)"
check "SDF3: a folder with sources" "$(run 0 --import-sdf3 --burn -o "$work/burn" "$work/samplerate.sdf3" &&
    [ -s "$work/burn/f.c" ]; echo $?)"
check "SDF3: files are not overwritten" "$(run 1 --import-sdf3 --burn -o "$work/burn" "$work/samplerate.sdf3"; echo $?)"

# And it runs: 100 iterations, with capacities that the analysis chose.
cat >"$work/all.xml" <<'XML'
<mapping name="all" processnetwork="samplerate">
  <binding name="all"><process name="*"/><processor name="core"/></binding>
</mapping>
XML
check "burn: builds" "$(run 0 -D nanoseconds=10 -o "$work/program" "$work/burn/samplerate.xml" "$work/machine.xml" "$work/all.xml"; echo $?)"
check "burn: runs" "$("$work/program/samplerate" --strict >"$work/out" 2>"$work/log"; echo $?)"
check "burn: capacities are explained" "$(run 0 --check --explain "$work/burn/samplerate.xml" "$work/machine.xml" "$work/all.xml" &&
    says "least fastest 14 + d 1 x 963 firings x rate 8"; echo $?)"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
