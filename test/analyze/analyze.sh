#!/usr/bin/env bash
# dalsynth --analyze, --times, --import-sdf3, --export-sdf3, as a user calls them.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

# synth STATUS ARGUMENT...: dalsynth ends so; standard output in `out`, standard error in `log`
synth() {
    local wanted=$1 status=0
    shift
    "$dalsynth" "$@" >out 2>log </dev/null || status=$?
    [ "$status" -eq "$wanted" ]
}

json() { # STATUS EXPECTED-FILE ARGUMENT...
    local status=$1 expected=$2
    shift 2
    synth "$status" --analyze=json "$@" && diff -u "$input/$expected" out
}

says() { grep -qF -e "$1" out log; }

cp "$input"/{one,ring}.xml .

# Published numbers, to the byte.
for graph in samplerate h263decoder; do
    check "$graph" "$(json 0 $graph.json "$input/$graph.xml" >&2; echo $?)"
    check "$graph, trade-offs" "$(json 0 $graph-pareto.json --pareto "$input/$graph.xml" >&2; echo $?)"
    check "$graph, table" "$(synth 0 --analyze "$input/$graph.xml" && says "consistent" && says "fastest"; echo $?)"
done

# Refusals, each with a way out that works.
check "deadlock" "$(json 1 deadlock.json "$input/deadlock.xml" >&2; echo $?)"
check "deadlock: message" "$(says "[deadlock]" && says "initialtokens=\"2\" on sw_channel 'CA'"; echo $?)"
sed '/name="CA"/s/initialtokens="1"/initialtokens="2"/' "$input/deadlock.xml" >live.xml
check "deadlock: the fix" "$(synth 0 --analyze=json live.xml && says '"deadlock":null'; echo $?)"
check "inconsistent" "$(json 1 inconsistent.json "$input/inconsistent.xml" >&2; echo $?)"
check "inconsistent: message" "$(says "tokenratein=\"5\" tokenrateout=\"4\" on sw_channel 'bc' (now 3 and 2) all rates fit; no fewer"; echo $?)"
sed '/name="bc"/s/in="3" tokenrateout="2"/in="5" tokenrateout="4"/' "$input/inconsistent.xml" >sound.xml
check "inconsistent: the fix" "$(synth 0 --analyze=json sound.xml && says '"consistent":true'; echo $?)"
sed '/name="ch2"/s/tokenratein/size="3" tokenratein/' "$input/samplerate.xml" >small.xml
check "a size that is too small" "$(synth 1 --analyze=json small.xml && says '"fix":{"initialtokens":{},"size":{"ch2":4},"smallest":true}'; echo $?)"
sed 's/size="3"/size="4"/' small.xml >large.xml
check "the size that works" "$(synth 0 --analyze=json large.xml; echo $?)"

# A deadlock of rates that nobody gave says so, with their places.
sed 's/tokenrate[a-z]*="1"//g' "$input/deadlock.xml" >unsaid.xml
line=$(grep -n 'name="CA"' unsaid.xml | head -n 1 | cut -d: -f1)
check "rates that nobody gave" "$(synth 1 --analyze unsaid.xml &&
    says "unsaid.xml:$line: note: sw_channel 'CA' does not say tokenratein and tokenrateout, taken to be 1"; echo $?)"
sed 's/tokenrate[a-z]*="[0-9]"//g; /sw_channel.*"CA"/s/ initialtokens="1"//; s/sw_channel.*"BC"/& tokenrateout="1"/' "$input/deadlock.xml" >unsaid.xml
check "many rates that nobody gave" "$(synth 1 --analyze unsaid.xml &&
    says "note: sw_channels 'CA', 'AB' do not say tokenratein and tokenrateout, taken" &&
    says "note: sw_channel 'BC' does not say tokenratein, taken" && [ "$(grep -c " not say " log)" = 2 ]; echo $?)"

# Who waits for tokens of a channel, and who for its room, wait for one.
cat >room.xml <<'END'
<processnetwork name="room"><process name="A" source="a.c"/><process name="B" source="b.c"/>
<channel name="c" from="A.out" to="B.in" tokensize="4" tokenrateout="3" size="2"/></processnetwork>
END
check "a channel that two wait for" "$(synth 1 --analyze room.xml &&
    says "note: sw_channel 'c' does not say tokenratein, taken"; echo $?)"

# No bound, fractions, no times, sizes given.
sed '/<sw_channel.*name="loop_/,/<\/sw_channel>/d; /<connection name="loop_/,/<\/connection>/d; /loop_/d' \
    "$input/samplerate.xml" >free.xml
check "no bound" "$(synth 0 --analyze=json free.xml && says '"period_unbounded":"no bound"' && says '"fastest":null'; echo $?)"
check "no bound, in words" "$(synth 0 --analyze free.xml &&
    says 'no bound on throughput; no process is kept from firing concurrently'; echo $?)"
check "no bound, and no end of trade-offs" "$(synth 0 --analyze --pareto "$input/pair.xml" && [ "$(grep -c '^trade-off  ' out)" = 1000 ] &&
    says 'The limit of points was reached: more trade-off points may lie at '; echo $?)"
check "no end of trade-offs, in JSON" "$(synth 0 --analyze=json --pareto "$input/pair.xml" && says ',"pareto_ended_by":"points"}'; echo $?)"
timed() { # TIME: each process's, but for f
    sed "/name=\"f\"/!s/executiontime=\"[0-9]*\"/executiontime=\"$1\"/" free.xml
}
timed 0 | sed '/name="f"/s/time="[0-9]*"/time="0"/' >zero.xml
check "no bound: no times" "$(synth 0 --analyze zero.xml && says 'no bound on throughput; no firing takes time'; echo $?)"
timed 0 >zero.xml
check "no bound: one has a time" "$(synth 0 --analyze zero.xml && says 'throughput; no process that takes time is kept from'; echo $?)"

# Of several capacities with the fewest tokens, the trade-offs have the fastest.
cat >fewest.xml <<'END'
<processnetwork name="fewest"><process name="A" source="a.c" executiontime="1,5,1"/><process name="B" source="b.c" executiontime="2,2,6"/>
<channel name="c" from="B.o" to="A.i" tokenratein="1,0,1" tokenrateout="2,2,0" tokensize="4" initialtokens="2"/>
<channel name="l" from="B.p" to="B.q" tokenratein="1,0,0" tokenrateout="0,1,0" tokensize="4" initialtokens="1" size="6"/>
<channel name="d" from="A.o" to="B.i" tokenratein="2,1,1" tokenrateout="1,0,1" tokensize="4" initialtokens="6"/></processnetwork>
END
check "the minimum is the first trade-off" "$(synth 0 --analyze=json --pareto fewest.xml &&
    says '"minimum":{"capacities":{"c":4,"d":6},"total":10,"period":14},' && says '"pareto":[{"capacities":{"c":4,"d":6},"total":10,"period":14},'; echo $?)"
sed 's/ executiontime="5"//' "$input/samplerate.xml" >untimed.xml
check "a missing time" "$(synth 0 --analyze untimed.xml && says '[no-times] 1 of 6 processes'; echo $?)"
check "a fraction" "$(synth 0 --analyze=json ring.xml && says '"period_unbounded":"7/2"' && says '"given":{"capacities":{"ab":9,"ba":9},"total":18,"period":"7/2"}'; echo $?)"
check "two files" "$(synth 2 --analyze=json ring.xml ring.xml; echo $?)"

# Which source a process has is the mapping's choice, and with it the time.
architecture core >machine.xml
chosen() { # SOURCE
    mapping "a $1 core" >choice.xml
    synth 0 --analyze=json one.xml machine.xml choice.xml
}
check "the process's time" "$(chosen 0 && says '"period_unbounded":5,'; echo $?)"
check "the source's own time" "$(chosen 1 && says '"period_unbounded":8,'; echo $?)"
check "a time from a file" "$(printf '{"a": 6}' >times.json && synth 0 --analyze=json --times=times.json one.xml \
    machine.xml choice.xml && says '"period_unbounded":6,'; echo $?)"

# What keeps state does not fire beside itself: as with a channel to itself that has one token.
mkdir state
cp "$input/pair.xml" state
pair() { # WHAT-IS-SAID ARGUMENT...
    local said=$1
    shift
    synth 0 --analyze "$@" state/pair.xml && says "$said"
}
check "no source: it is said" "$(pair '2 of 2 processes have no source that can be read: taken to keep no state' &&
    says 'no bound on throughput' && says 'no mapping is used'; echo $?)"
check "no source, in JSON" "$(synth 0 --analyze=json state/pair.xml && says '"at_once":{},"state_unknown":["A","B"]' &&
    says '"processors":"unlimited","mapping":"not used"'; echo $?)"
echo 'int A_fire(DALProcess *p);' >state/a.c
echo '#include "b.h"' >state/b.c
echo 'struct _local_states { int sum; };' >state/b.h
check "state, in a header" "$(synth 0 --analyze=json state/pair.xml && says '"period_unbounded":10,' &&
    says '"at_once":{"B":1},"state_unknown":[]'; echo $?)"
check "state, in words" "$(pair 'period: 10 time units' && says '1 (state)' && ! says 'can be read'; echo $?)"
sed -i 's/process name="B" ex/process name="B" stateless="true" ex/' state/pair.xml
check "a state, whatever the word" "$(pair 'period: 10 time units' && says '1 (state)'; echo $?)"
echo >state/b.h
check "stateless" "$(pair 'no bound on throughput'; echo $?)"
sed -i 's/ stateless="true"//' state/pair.xml
rm state/b.h
mapping "* - core" >state/map.xml
check "a C process on one core" "$(synth 0 --analyze state/pair.xml machine.xml state/map.xml &&
    says 'period: 10 time units' && says '1 (mapping)' && says 'only sources, sizes and shadow copies'; echo $?)"
check "no star, no legend" "$(pair consistent && ! says '*'; echo $?)"
check "a star and its legend" "$(synth 0 --analyze "$input/samplerate.xml" && says '  *' && says '* no limit'; echo $?)"

# A network is no faster than its periodic processes are released.
sed 's/process name="A"/& period="40ms" repetitions="2"/' state/pair.xml >periodic.xml
check "releases" "$(synth 0 --analyze periodic.xml && says 'period: 20 ms an iteration by the releases of A'; echo $?)"
check "releases, in JSON" "$(synth 0 --analyze=json periodic.xml && says ',"released_ns":{"A":20000000},'; echo $?)"

# Capacities become the sizes of a mapping: those channels have a size then that had none.
for name in a b c d e f; do
    echo "#include \"dal.h\"
int ${name}_fire(DALProcess *p);" >$name.c
done
sed -E 's|(<process name="([a-f])"[^>]*>)|\1<source type="c" location="\2.c"/>|' "$input/samplerate.xml" |
    awk '/<source/ { held = $0; sub(/<source.*/, ""); match(held, /<source[^>]*>/); source = substr(held, RSTART, RLENGTH) }
         /<\/process>/ && source { print source; source = "" } { print }' >sourced.xml
mapping "* 0 core" '<channel name="ch3" size="9"/>' '<channel name="ch2" kind="staged"/>' >core.xml
sizes_of() { sed -n 's/.*<channel name="\([^"]*\)".* size="\([0-9]*\)".*/\1 \2/p' "$1" | tr '\n' ' '; }
check "sizes: a trade-off" "$(synth 0 --analyze --sizes=33 -o sized.xml sourced.xml machine.xml core.xml &&
    [ "$(sizes_of sized.xml)" = "ch1 1 ch2 4 ch3 9 ch4 14 ch5 6 " ]; echo $?)"
check "sizes: what the mapping says stays" "$(grep -q '<channel name="ch2" kind="staged" size="4"/>' sized.xml; echo $?)"
check "sizes: the period is that of the point" "$(synth 0 --analyze=json sourced.xml machine.xml sized.xml &&
    says '"period":1029'; echo $?)"
for point in minimum fastest; do
    check "sizes: $point" "$(synth 0 --analyze --sizes=$point -o $point.xml sourced.xml machine.xml core.xml &&
        [ "$(sizes_of $point.xml | wc -w)" -eq 10 ]; echo $?)"
done
check "sizes: no such point" "$(synth 1 --analyze --sizes=5 -o none.xml sourced.xml machine.xml core.xml &&
    says "[no-sizes] there are no capacities '5'" && [ ! -e none.xml ]; echo $?)"
sed 's/ch3" size="9"/ch5" size="5"/' core.xml >small.xml
check "sizes: a size below the point" "$(synth 1 --analyze --sizes=fastest -o none.xml sourced.xml machine.xml small.xml &&
    says "[no-sizes] channel 'ch5' has a size of 5 tokens, and " && [ ! -e none.xml ]; echo $?)"
check "sizes: a folder that is not there" "$(synth 1 --analyze --sizes=minimum -o no/where.xml sourced.xml machine.xml core.xml; echo $?)"
for wrong in "--analyze --sizes=minimum sourced.xml machine.xml core.xml" "--sizes=minimum -o x.xml sourced.xml machine.xml core.xml" \
    "--analyze --sizes=minimum -o x.xml sourced.xml" "--analyze --sizes=small -o x.xml sourced.xml machine.xml core.xml"; do
    # shellcheck disable=SC2086 # words
    check "sizes: $wrong" "$(synth 2 $wrong && [ ! -e x.xml ]; echo $?)"
done

# Readers of one port share a buffer: its capacity counts once, and what is written is the point of the table.
cp "$input/readers.xml" .
check "readers: 14 tokens, not 15 or 20" "$(synth 0 --analyze=json --pareto readers.xml &&
    says '"fastest":{"capacities":{"c0":8,"c1":8,"c5":6},"total":14,"period":12}'; echo $?)"
check "readers: in words" "$(synth 0 --analyze readers.xml && says 'one buffer, which counts once'; echo $?)"
sed 's/<channel name="c1"/& size="8"/; s/<channel name="c5"/& size="6"/' readers.xml >given.xml
check "readers: sizes that are given" "$(synth 0 --analyze=json given.xml &&
    says '"given":{"capacities":{"c0":8,"c1":8,"c5":6},"total":14,"period":12}'; echo $?)"
sed 's/<channel name="c1"/& size="5"/' readers.xml >small.xml
check "readers: a size that is too small" "$(synth 1 --analyze=json small.xml && says '"size":{"c0":6,"c1":6}'; echo $?)"
mapping "* - core" >core_readers.xml
sed 's/0,2/2/; s/"2,2"/"2"/; s/1,1/1/g' readers.xml >even.xml
for point in minimum fastest; do
    period=$(synth 0 --analyze=json --sizes=$point -o point.xml even.xml machine.xml core_readers.xml
        sed "s/.*\"$point\":{[^}]*},\"total\":[0-9]*,\"period\":\([0-9]*\).*/\1/" out)
    check "readers: sizes, $point" "$(synth 0 --analyze even.xml machine.xml point.xml &&
        says "period: $period with the sizes given"; echo $?)"
done

# The size of a channel to itself is obeyed: three tokens, but room for only one more.
sed '/name="aa"/s/initialtokens="1"/initialtokens="3" size="4"/' one.xml >loop.xml
check "the size of a channel to itself" "$(synth 0 --analyze=json loop.xml && says '"period_unbounded":5,' &&
    says '"minimum":{"capacities":{},"total":0,"period":5}' && says '"fastest":{"capacities":{},"total":0,"period":5}'; echo $?)"
check "its size, in the table" "$(synth 0 --analyze loop.xml && says '1 (channel to itself)' && ! says '*'; echo $?)"
check "no token on it" "$(sed 's/initialtokens="3"/initialtokens="0"/' loop.xml >empty.xml
    synth 1 --analyze empty.xml && says ' 0 (channel to itself)'; echo $?)"
check "no room for its tokens" "$(sed 's/size="4"/size="2"/' loop.xml >full.xml
    synth 1 --analyze full.xml && says ' 0 (channel to itself)'; echo $?)"
check "trade-offs with their capacities" "$(synth 0 --analyze --pareto "$input/samplerate.xml" &&
    says 'trade-off with 33 tokens: ch1 1, ch2 4, ch3 8, ch4 14, ch5 6'; echo $?)"

# Times from a file.
times() { # STATUS JSON
    printf '%s' "$2" >times.json
    synth "$1" --analyze=json --times=times.json ring.xml
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
# Version 2, as a program writes it: which entry counts, and what is none.
entry() { # PROCESS MEDIAN [MEMBERS]: on a core; members that are given replace the usual ones
    printf '{"process": "%s", "type": "c", "on": "core", "ns": {"mean": %s, "p10": %s, "median": %s, "p99": %s}%s}' \
        "$1" "$2" "$2" "$2" "$2" "${3:+, $3}"
}
two() { # ENTRY...
    local IFS=,
    printf '{"dal-times": 2, "machine": {"cores": "any"},\n"times": [\n%s]}' "$*"
}
refused() { # WHAT LINE JSON
    check "measured: $1" "$(times 1 "$3" && says "times.json:$2: error: [bad-times]"; echo $?)"
}
a=$(entry a 30)
b=$(entry b 41.4)
check "measured" "$(times 0 "$(two "$a" "$b")" && says '"period_unbounded":"71/2"' && [ ! -s log ]; echo $?)"
check "measured: none" "$(times 0 "$(two)"; echo $?)"
check "measured: of no process" "$(times 0 "$(two "$(entry z 3)")" && says '[unknown-process]' && says '"7/2"'; echo $?)"
check "measured: of others, too" "$(times 0 "$(two "$a" "$(entry z 3)" "$b")" && says '"71/2"'; echo $?)"
check "measured: less than a nanosecond is one" "$(times 0 "$(two "$(entry a 0.04)" "$(entry b 0)")" && says '"period_unbounded":1,'; echo $?)"
check "measured: members that nobody knows" "$(times 0 "$(two "$(entry a 30 '"x": [1, {"y": null, "z": "\"]"}, true]')" "$b")" &&
    says '"71/2"'; echo $?)"
check "measured: names with escapes" "$(times 0 "$(two "${a/\"a\"/\"\\u0061\"}" "$b")" && says '"71/2"'; echo $?)"
check "measured: of the most firings" "$(times 0 "$(two "$(entry a 7 '"firings": 10, "copies": 2')" \
    "$(entry a 30 '"firings": 11, "copies": 3')" "$(entry a 8 '"firings": 1, "copies": 4')" "$b")" && says '"71/2"'; echo $?)"
check "measured: a key where there is no source" "$(times 0 "$(two "$(entry a 30 '"key": "00"')" "$b")" && says '"71/2"'; echo $?)"
for number in -1 1e13 1e999 -0.5 NaN Infinity null '"3"' 01 1. .5 1e '' "$(printf '%070d' 1)"; do
    refused "a time of $number" 3 "$(two "$(entry a "$number")")"
done
for member in '"copies": 0' '"copies": 65537' '"items": 0' '"items": -1' '"firings": 0' '"firings": 1e19' '"key": 3' \
    '"key": "'"$(printf '%070d' 1)"'"' '"key": "\u0000"' '"key": "\q"' '"key": "\u12"' '"process": "a"' '"x"' '"x": tru' \
    '"x": '"$(printf '%070d' 0 | tr 0 '[')"; do
    refused "$member" 3 "$(two "$(entry a 30 "$member")")"
done
refused "the same twice" 4 "$(two "$a" "
$a")"
refused "quantiles that do not ascend" 3 "$(two "${a/\"p10\": 30/\"p10\": 30.1}")"
refused "quantiles that do not ascend, p99" 3 "$(two "${a/\"p99\": 30/\"p99\": 29.9}")"
for member in process type on ns; do
    refused "no $member" 3 "$(two "${a/\"$member\"/\"x\"}")"
done
for member in mean p10 median p99; do
    refused "no $member" 3 "$(two "${a/\"$member\"/\"x\"}")"
done
refused "an unknown type" 3 "$(two "${a/\"c\"/\"d\"}")"
refused "C on a device" 3 "$(two "${a/\"core\"/\"GPU_DEV1\"}")"
refused "an unknown version" 1 '{"dal-times": 3, "times": []}'
refused "no times" 1 '{"dal-times": 2}'
refused "times twice" 1 '{"dal-times": 2, "times": [], "times": []}'
refused "something behind it" 1 '{"dal-times": 2, "times": []} {}'
whole=$(two "$a" "$b")
for ((cut = 16; cut < ${#whole}; cut += 7)); do
    check "measured: cut behind $cut bytes" "$(times 1 "${whole:0:cut}" && says '[bad-times]'; echo $?)"
done
check "times: a file that is not there" "$(synth 1 --analyze --times=nothing ring.xml && says '[file]'; echo $?)"

# A search that is cut off says so.
check "cut off" "$(synth 0 --analyze=json --time-limit=0.000001 "$input/h263decoder.xml" && says '"fastest":null'; echo $?)"
# Before the search for capacities, which takes all the time that is left.
check "the least period comes first" "$(synth 0 --analyze=json --time-limit=4 "$input/hard.xml" && says '"period_unbounded":3240,'; echo $?)"
for value in 0 -1 x ''; do
    check "time limit '$value'" "$(synth 2 --analyze --time-limit="$value" "$input/samplerate.xml"; echo $?)"
done
check "what form" "$(synth 2 --analyze=xml "$input/samplerate.xml"; echo $?)"

# SDF3, there and back.
for graph in samplerate h263decoder deadlock; do
    check "SDF3: $graph, out" "$(synth 0 --export-sdf3 "$input/$graph.xml" && cp out "$graph.sdf3"; echo $?)"
    check "SDF3: $graph, in" "$(synth 0 --import-sdf3 "$graph.sdf3" && cp out "$graph.xml"; echo $?)"
    status=0
    [ $graph = deadlock ] && status=1
    check "SDF3: $graph" "$(json $status $graph.json "$graph.xml" >&2; echo $?)"
    check "SDF3: $graph, again" "$(synth 0 --export-sdf3 "$graph.xml" && cmp out "$graph.sdf3" >&2; echo $?)"
done
check "SDF3: a graph as it is published" "$(synth 0 --import-sdf3 "$input/published.sdf3" && cp out published.xml &&
    json 0 published.json published.xml >&2; echo $?)"
sed "s/actor='A'/actor='1'/; s/Actor='A'/Actor='1'/g; s/channel='A'/channel='1'/; s/name='A'/name='1'/" "$input/published.sdf3" >numbers.sdf3
check "SDF3: an actor and a channel have one number" "$(synth 0 --import-sdf3 numbers.sdf3 &&
    sed 's/\b_1\b/A/g; s/\b_1_channel/A_channel/g' out | cmp - published.xml >&2; echo $?)"
check "SDF3: names that differ in odd characters alone" "$(synth 0 --import-sdf3 "$input/names.sdf3" && cp out names.xml &&
    [ "$(sed -n 's/.*<process name="\([^"]*\)"\( executiontime="\(.*\)"\)*>.*/\1 \3/p' out | tr '\n' ,)" = "a_b_2 ,a_b_3 5,a_b ,__ 7," ] &&
    [ "$(sed -n 's/.*<sw_channel.* name="\([^"]*\)" tokensize="\(.\)".*/\1 \2/p' out | tr '\n' ,)" = \
    "a_b_channel_2 3,a_b_channel 1,a_b_channel_3 2,___channel 1," ]; echo $?)"
check "SDF3: their graph is the network" "$(synth 0 --analyze=json "$input/names.sdf3" && cp out names.json &&
    synth 0 --analyze=json names.xml && cmp out names.json >&2; echo $?)"
for file in "$input"/bad/*.sdf3; do
    line=$(sed -n 's/.*<!-- expect: \(.*\) -->.*/\1/p' "$file")
    check "SDF3: $(basename "$file")" "$(synth 1 --import-sdf3 "$file" && says "$line" && [ ! -s out ]; echo $?)"
done
# Cyclo-static: phases.sdf3 says what must come out.
graph=$input/phases.sdf3
check "phases" "$(synth 0 --analyze=json "$graph" && says '"network":"phases","consistent":true,"repetition":{"A":3,"B":3},"phases":{"A":3}' &&
    says '"period_unbounded":12,' && says '"minimum":{"capacities":{"c":2},"total":2,"period":14}' &&
    says '"fastest":{"capacities":{"c":3},"total":3,"period":12}},"latency":16,"throughput":{"asked":0.0800'; echo $?)"
check "phases: the throughput is kept" "$(says '"at_best":true}'; echo $?)"
check "phases: the table" "$(synth 0 --analyze "$graph" && says '3,5,4' && says '1,0,2 -> 1' &&
    says '0.08 iterations a time unit are asked for: kept at best'; echo $?)"
sed 's/<tokenSize/<bufferSize sz="2"\/><tokenSize/; s/channel="a"><bufferSize sz="-1"/channel="a"><bufferSize sz="2"/' "$graph" >sized.sdf3
check "phases: sizes" "$(synth 0 --analyze=json sized.sdf3 && says '"given":{"capacities":{"c":2},"total":2,"period":14}' &&
    says '"at_best":true,"given":false}'; echo $?)"
check "phases: another processor" "$(synth 0 --analyze=json --processor=slow "$graph" && says '"period_unbounded":120,' &&
    says "1 actors have no processor 'slow'"; echo $?)"
check "phases: the first processor" "$(synth 0 --analyze=json --processor=second "$graph" && says '"latency":18'; echo $?)"
sed 's/<processor type="slow"/& default="true"/' "$graph" >defaults.sdf3
check "phases: the last of two default processors" "$(synth 0 --analyze=json defaults.sdf3 && says '"period_unbounded":12,'; echo $?)"
check "phases: no such processor" "$(synth 1 --analyze --processor=none "$graph" && says "no actor has a processor 'none'"; echo $?)"
check "phases: a processor of a network" "$(synth 1 --analyze --processor=slow one.xml && says '[sdf3] --processor'; echo $?)"
check "phases: a mapping of a graph" "$(synth 1 --analyze "$graph" machine.xml all.xml && says 'analysed by itself'; echo $?)"
check "phases: there" "$(synth 0 --export-sdf3 "$graph" && cp out again.sdf3 && says '<throughput>0.08' &&
    says 'rate="1,0,2"' && says 'time="3,5,4"' && says 'type="csdf"' && says '<stateSize max="640"/>'; echo $?)"
check "phases: there once more" "$(synth 0 --export-sdf3 again.sdf3 && cmp out again.sdf3 >&2; echo $?)"
check "phases: and back" "$(synth 0 --import-sdf3 again.sdf3 && cp out phases.xml && says 'tokenratein="1,0,2" tokenrateout="1"' &&
    says '<processnetwork name="phases" throughput="0.08">' && says 'executiontime="3,5,4" statebits="640"'; echo $?)"
check "phases: of the network" "$(synth 0 --analyze=json phases.xml && says '"minimum":{"capacities":{"c":2},"total":2,"period":14}' &&
    says '"latency":16'; echo $?)"
check "phases: again" "$(synth 0 --export-sdf3 phases.xml && cmp out again.sdf3 >&2; echo $?)"
check "phases: the network's throughput is kept" "$(synth 0 --analyze phases.xml && says '0.08 iterations a time unit are asked for: kept at best'; echo $?)"
sed 's/1,0,2/3/; s/3\*1/1/; s/3,5,4/12/; s/csdf/sdf/g; s/0\.08/ 8.25e-2 /; s/640/1152921504606846976/' "$graph" >plain.sdf3
check "one phase: there" "$(synth 0 --export-sdf3 plain.sdf3 && cp out plain_again.sdf3 && says 'type="sdf"' && says '>0.0825<' &&
    says 'max="1152921504606846976"'; echo $?)"
check "one phase: and back" "$(synth 0 --import-sdf3 plain_again.sdf3 && cp out plain.xml && says 'throughput="0.0825"' &&
    synth 0 --export-sdf3 plain.xml && cmp out plain_again.sdf3 >&2; echo $?)"
check "one phase: the short form" "$(synth 0 --shorten plain.xml && cp out plain_short.xml && grep -q '<channel' plain_short.xml &&
    synth 0 --export-sdf3 plain_short.xml && cmp out plain_again.sdf3 >&2; echo $?)"
check "phases: measured times are of a cycle" "$(printf '{"A": 121, "B": 2}' >times.json &&
    synth 0 --analyze=json --times=times.json phases.xml && says '"period_unbounded":121,'; echo $?)"
check "phases: sources are burnt" "$(synth 0 --import-sdf3 --burn -o burnt "$graph" &&
    grep -q "{INT64_C(3), INT64_C(5), INT64_C(4)}" burnt/A.c && grep -q "iterations \* 3" burnt/phases.xml; echo $?)"

# Initial phases: first.sdf3 says what must come out.
graph=$input/first.sdf3
check "initial phases" "$(synth 0 --analyze=json "$graph" && says '"period_unbounded":7,' && says '"fastest":null' &&
    says '"latency":null' && says 'warning: [sdf3] the graph has initial phases'; echo $?)"
check "initial phases: tokens behind them" "$(synth 0 --analyze "$graph" && grep -q '^back *B -> A *1 -> 2,1 *2 ' out; echo $?)"
check "initial phases: a graph is not written" "$(synth 1 --export-sdf3 "$graph" && says '[sdf3] the graph has initial phases' && [ ! -s out ]; echo $?)"

# A deadlock behind initial phases: its way out is in the numbers of the file, and works.
cat >begun.sdf3 <<'END'
<sdf3 type="csdf"><applicationGraph name="begun"><csdf name="begun">
<actor name="A"><port name="o" type="out" rate="0;2"/><port name="i" type="in" rate="2;2"/></actor>
<actor name="B"><port name="o" type="out" rate="2"/><port name="i" type="in" rate="2"/></actor>
<channel name="c" srcActor="A" srcPort="o" dstActor="B" dstPort="i"/>
<channel name="d" srcActor="B" srcPort="o" dstActor="A" dstPort="i" initialTokens="3"/>
</csdf><csdfProperties><channelProperties channel="d"><bufferSize sz="3"/></channelProperties></csdfProperties></applicationGraph></sdf3>
END
check "begun: a deadlock and its way out" "$(synth 1 --analyze=json begun.sdf3 &&
    says '"fix":{"initialtokens":{"d":4},"size":{"d":4},"smallest":true}' &&
    says "note: with initialtokens=\"4\" on sw_channel 'd' (now 3), and size=\"4\", it would not"; echo $?)"
sed 's/Tokens="3"/Tokens="4"/; s/sz="3"/sz="4"/' begun.sdf3 >followed.sdf3
check "begun: the way out" "$(synth 0 --analyze=json followed.sdf3 && says '"deadlock":null'; echo $?)"
sed -i 's/sz="3"/sz="-1"/' begun.sdf3
check "begun: a way out without sizes" "$(synth 1 --analyze=json begun.sdf3 &&
    says '"fix":{"initialtokens":{"d":4},"size":{},"smallest":true}' && says '(now 3), and room for them, it would not'; echo $?)"

# A cycle of two whose phases take turns: live phase by phase, but not cycle by cycle.
cat >turns.sdf3 <<'END'
<sdf3 type="csdf"><applicationGraph name="turns"><csdf name="turns">
<actor name="A"><port name="o" type="out" rate="1,1"/><port name="i" type="in" rate="1,1"/></actor>
<actor name="B"><port name="o" type="out" rate="1"/><port name="i" type="in" rate="1"/></actor>
<channel name="ab" srcActor="A" srcPort="o" dstActor="B" dstPort="i"/>
<channel name="ba" srcActor="B" srcPort="o" dstActor="A" dstPort="i" initialTokens="1"/>
</csdf></applicationGraph></sdf3>
END
check "turns: live" "$(synth 0 --analyze=json turns.sdf3 && says '"deadlock":null,"period_unbounded":4,'; echo $?)"
sed -i 's/ initialTokens="1"//' turns.sdf3
check "turns: a deadlock and its way out" "$(synth 1 --analyze=json turns.sdf3 && says '[deadlock]' &&
    says '"fix":{"initialtokens":{"ba":1},"size":{},"smallest":true}'; echo $?)"
sed -i 's/rate="1,1"/rate="1,2"/g' turns.sdf3
check "turns: rates that contradict each other only in a phase do not" "$(synth 1 --analyze=json turns.sdf3 && says '"consistent":true'; echo $?)"
sed -i 's/out" rate="1,2"/out" rate="1,3"/' turns.sdf3
check "turns: rates of cycles that do" "$(synth 1 --analyze=json turns.sdf3 && says '"consistent":false' && says 'in a cycle of phases'; echo $?)"

check "SDF3: no folder to burn in" "$(synth 2 --import-sdf3 --burn samplerate.sdf3; echo $?)"
check "SDF3: a folder with sources" "$(synth 0 --import-sdf3 --burn -o burn samplerate.sdf3 &&
    [ -s burn/f.c ]; echo $?)"
check "SDF3: files are not overwritten" "$(synth 1 --import-sdf3 --burn -o burn samplerate.sdf3; echo $?)"

# A channel to itself needs a cycle's tokens to begin with, and room for the cycle that is written meanwhile.
cat >loop.sdf3 <<'END'
<sdf3 type="csdf"><applicationGraph name="loop"><csdf name="loop">
<actor name="A"><port name="o" type="out" rate="1,1"/><port name="i" type="in" rate="1,1"/></actor>
<channel name="a" srcActor="A" srcPort="o" dstActor="A" dstPort="i" initialTokens="1"/></csdf>
<csdfProperties><channelProperties channel="a"><bufferSize sz="2"/></channelProperties></csdfProperties>
</applicationGraph></sdf3>
END
check "burn: room of a loop" "$(synth 0 --import-sdf3 --burn -o loop loop.sdf3 &&
    grep -q 'name="a" size="5".* initialtokens="2"' loop/loop.xml; echo $?)"

# And it runs: 100 iterations, with capacities that the analysis chose.
mapping "* - core" >all.xml
check "burn: builds" "$(synth 0 -D nanoseconds=10 -o program burn/samplerate.xml machine.xml all.xml; echo $?)"
check "burn: runs" "$(program/samplerate --strict >out 2>log; echo $?)"
check "burn: phases build" "$(synth 0 -D nanoseconds=10 -o phased burnt/phases.xml machine.xml all.xml; echo $?)"
check "burn: phases run" "$(phased/phases --strict >out 2>log; echo $?)"
check "burn: capacities are explained" "$(synth 0 --check --explain burn/samplerate.xml machine.xml all.xml &&
    says "least fastest 14 + d 1 x 963 firings x rate 8"; echo $?)"

echo "$passed passed"
