#!/usr/bin/env bash
# Counted channels: the same bytes wherever the processes are, and those of a plain loop, with empty packets, full ones and
# what is between; counts above the bound, found and named wherever they are made; what is refused; what a run tells; and
# a simulator that finds races.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

export CFLAGS=-O1 # many programs, of which other tests see the code at -O3
"$dalinfo" --architecture -o machine.xml
has_device machine.xml || fail "no OpenCL device: there is nothing to compare with"
cp -r "$source/apps/events" "$input" . && chmod -R u+w events input

# network NAME: the one that is looked at, and what a plain loop says of it
network() {
    name=$1
    ${CC:-cc} -O2 -o plain "$(dirname "$2")/reference.c"
    ./plain >expected
    file=$2
}

# build MACHINE BINDING...
build() {
    mapping "${@:2}" >mapping.xml
    synthesise ${options:-} -o program "$file" "$1" mapping.xml
    # a group is one only where it can be, which same() looks at
    ! grep -v not-grouped made >said || fail "dalsynth has something to say" made
}

# same WHAT BINDING...: dalsynth says nothing, the program prints what is expected
same() {
    build machine.xml "* 0 core_0" "${@:2}"
    run 0 "program/$name" --strict
    cmp output expected || fail "$1: other bytes" output expected
    echo "same: $name, $1"
}

# some WHAT BINDING...: same, of those that this part of the inputs has
some() {
    tried=''
    is_next || return 0
    tried=yes
    same "$@"
}

# in_group: is there one in the program that was tried last?
in_group() {
    [ -n "$tried" ] || return 0
    ls program/*_to_*.cl >/dev/null 2>&1 || fail "there is no group"
}

device='device_0 workitems='
network stress input/stress.xml
some "a core"
some "two cores, portable" "Keep 1 core_1" "Twice 1 core_1"
some "kernels" "Keep 2 $device\"4\" shadowcopies=\"3\" group=\"no\"" "Twice 2 $device\"8\" group=\"no\""
some "portable" "Keep 1 $device\"1\" group=\"no\"" "Twice 1 $device\"8\" shadowcopies=\"7\" group=\"no\""
some "a device behind" "Twice 1 $device\"4\""
some "a group" "Keep 1 $device\"1\" group=\"yes\"" "Twice 2 $device\"1\" group=\"yes\""
in_group
some "a group of several work-items" "Keep 2 $device\"4\" group=\"yes\"" "Twice 1 $device\"8\" group=\"yes\""
in_group
some "copies through pinned memory" "Keep 2 $device\"4\" group=\"no\"" "Twice 2 $device\"4\" group=\"no\"" \
    '<channel name="*" kind="staged"/>'
sed -i 's/blocks="2 \* most"/& tokenrateout="dynamic"/' input/stress.xml
some "an end that knows of no packets" "Keep 2 $device\"4\"" "Twice 2 $device\"4\"" "End 1 core_1"
sed -i 's/ tokenrateout="dynamic"//' input/stress.xml
if names=$(two_devices) && [ -n "$names" ]; then
    cp machine.xml one.xml
    POCL_DEVICES=$names "$dalinfo" --architecture -o machine.xml
    export POCL_DEVICES=$names
    some "on two devices" "Keep 2 $device\"4\" group=\"no\"" "Twice 2 device_1 workitems=\"4\" group=\"no\""
    some "dealt to two devices" \
        'Keep 2 device_0 <processor name="device_1"/><target workitems="4" shadowcopies="2" group="no"/>' \
        "Twice 2 $device\"4\" group=\"no\""
    unset POCL_DEVICES
    mv one.xml machine.xml
fi

# ---- counts above the bound ----------------------------------------------------------------------

options="-D wrong=100"
# found WHAT TEXT BINDING...: the network ends, and says who was wrong
found() {
    tried=''
    is_next || return 0
    tried=yes
    build machine.xml "* 0 core_0" "${@:3}"
    run 1 "program/$name" --strict
    expect "$2" messages
    echo "found: $1"
}
by="process Keep: a count of 19 at port out, which has at most 13 tokens; process"
found "by the call" "process Keep: DAL_set_count on port out: a count of 15, and there are at most 13 tokens"
found "behind a kernel" "$by Twice has found it (stress.xml:" "Keep 2 $device\"4\""
found "through a portable source" "$by End has found it" "Keep 2 $device\"4\" group=\"no\"" \
    "Twice 1 $device\"4\" group=\"no\""
found "behind a group" "$by End has found it" "Keep 2 $device\"4\" group=\"yes\"" "Twice 2 $device\"4\" group=\"yes\""
found "in a portable source" "process Keep: a count of 22 at port out" "Keep 1 $device\"4\""
sed -i 's/blocks="2 \* most"/& tokenrateout="dynamic"/' input/stress.xml
found "by a reader of tokens" "$by End has found it" "Keep 2 $device\"4\"" "Twice 2 $device\"4\"" "End 1 core_0"
sed -i 's/ tokenrateout="dynamic"//' input/stress.xml

# A count that a firing does not set is not that of a firing before.
cp input/keep.cl kept
sed -i 's/^    \*out_count = 0;//; s/in_count == 0/false/; s/kept = VAR_bound.*/return;/' input/keep.cl
by="process Keep: a firing has not set the count of port out; process"
found "not set" "$by Twice has found it (stress.xml:" "Keep 2 $device\"4\""
found "not set, one work-item" "$by Twice has found it" "Keep 2 $device\"1\""
found "not set, through a portable source" "$by End has found it" "Keep 2 $device\"4\" group=\"no\"" \
    "Twice 1 $device\"4\" group=\"no\""
found "not set, in a group" "$by End has found it" "Keep 2 $device\"4\" group=\"yes\"" \
    "Twice 2 $device\"4\" group=\"yes\""
in_group
found "not set, in a group of single work-items" "$by End has found it" "Keep 2 $device\"1\" group=\"yes\"" \
    "Twice 1 $device\"1\" group=\"yes\""
in_group
mv kept input/keep.cl
options=

# source_says TEXT SED-SCRIPT: of keep.c, changed
source_says() {
    is_next || return 0
    sed -i.kept "$2" input/keep.c
    build machine.xml "* 0 core_0"
    run 1 "program/$name" --strict
    expect "$1" messages
    mv input/keep.c.kept input/keep.c
    echo "found: $1"
}
source_says "DAL_read asks for 4 bytes of port in" 's/i < count/i <= count/'
source_says "has written 7 bytes at port out, which are no whole tokens of 4 bytes" \
    's/^    return 0/    DAL_write(PORT_out, "abc", 4, p);\n    DAL_set_count(PORT_out, 1, p);\n    DAL_write(PORT_out, "abc", 3, p);\n    return 0/'
source_says "DAL_write asks for 4 bytes of port out" \
    's/^    return 0/    for (int i = 0; i < 14; i++)\n        DAL_write(PORT_out, "abc", 4, p);\n    return 0/'
source_says "DAL_set_count on port out, of which a window is begun" \
    's/^    return 0/    DAL_write_begin(PORT_out, 4, 13, 13, 0, p);\n    DAL_set_count(PORT_out, 0, p);\n    return 0/'
source_says "DAL_set_count on port out: a count of 5, and 2 tokens were written" \
    's/^    return 0/    int *w = DAL_write_begin(PORT_out, 4, 2, 2, 0, p);\n    w[0] = w[1] = 1;\n    DAL_write_end(PORT_out, w, p);\n    DAL_set_count(PORT_out, 0, p);\n    DAL_set_count(PORT_out, 5, p);\n&/'
source_says "a firing has begun a window of port out, and not ended it" \
    's/^    return 0/    DAL_write_begin(PORT_out, 4, 13, 13, 0, p);\n&/'
# UBSan says it first.
[ -n "${DAL_SANITIZER:-}" ] ||
    source_says "DAL_set_count on port NULL, which it does not have" 's/^    return 0/    char *volatile none = NULL;\n    DAL_set_count(none, 0, p);\n&/'

# ---- what is refused -----------------------------------------------------------------------------

# refused TEXT FILE SED-SCRIPT [BINDING...]
refused() {
    is_next || return 0
    cp "input/$2" kept
    sed -i "$3" "input/$2"
    mapping "* 0 core_0" "${@:4}" >mapping.xml
    refuse "$1" "$file" machine.xml mapping.xml
    mv kept "input/$2"
    echo "refused: $1"
}
on_device="Keep 2 $device\"4\""
refused "no argument for the count of port 'in'; add 'uint in_count'" keep.cl 's/uint in_count, //' "$on_device"
refused "'in_count' is the count of an input; its type is to be uint" keep.cl 's/uint in_count/int in_count/' "$on_device"
refused "'out_count' is the count of an output; its type is to be __global uint *" keep.cl \
    's/__global uint \*out_count/__global int *out_count/' "$on_device"
refused "DAL_set_count in DAL_foreach; a firing has one count" twice_portable.c \
    's/^        if (i/        DAL_set_count(PORT_out, 1, p);\n&/' "Twice 1 core_0"
refused "DAL_count on port out, which is an output port" twice_portable.c 's/DAL_count(PORT_in/DAL_count(PORT_out/' \
    "Twice 1 core_0"
refused "'numbers': most=\"13\" and a rate exclude each other" stress.xml '/"numbers"/s/most=/tokenratein="1" &/'
refused "sw_channel 'doubled': kernel 'Twice' may write a count above 26, and nobody would see it" stress.xml \
    's/<process name="End" .*/<process name="End" source="end.cl"\/>/
     s/<\/processnetwork>/<process name="Last" source="last.c"\/>\n<channel from="End.out" to="Last.in"\/>\n&/' \
    "Twice 2 $device\"4\"" "End 0 $device\"1\""

# ---- loops, and several readers ------------------------------------------------------------------

network ring input/ring/ring.xml
same "a loop of packets that were empty at first"
same "the same with a kernel" "Add 1 $device\"1\""

# ---- the last packet ----------------------------------------------------------------------------

# A count that was said is one, be it 0; the last firing sends no packet where it has done nothing.
last_packets() { # WHAT
    local last=0 packet
    build machine.xml "* 0 core_0"
    for packet in "3:0 " "3:1 " "3:0 " "3:0 " "3:0 " ""; do
        run 0 program/said --strict -p Source.last=$last
        [ "$(cat output)" = "1:2 2:2 $packet" ] || fail "$1: the last firing, way $last: not 1:2 2:2 $packet" output
        last=$((last + 1))
    done
    echo "the last packet, $1"
}
name=said file=input/said.xml
last_packets "with a p for each firing"
sed -i 's/^int Source_fire.*/DALProcess *kept;\n\n&/; s/^    int number = ++/    kept = p;\n&/' input/said.c
last_packets "with one p"
sed -i 's/^    write_window(number, p);/    if (number == 1)\n    &/' input/said.c
build machine.xml "* 0 core_0"
run 1 program/said --strict
expect "DAL_set_count on port found: a count of 2, and 0 tokens were written" messages

# ---- the application, and what is told -----------------------------------------------------------

network events events/events.xml
some "kernels" "Find 2 $device\"16\" group=\"no\"" "Measure 2 $device\"16\" group=\"no\""
same "kernels, a group" "Find 2 $device\"16\" group=\"yes\"" "Measure 2 $device\"16\" group=\"yes\""
tried=yes
in_group
DAL_STATS=1 run 0 program/events
grep -Eq '^events +32 +1000 +7035 ' messages || fail "the table has no tokens" messages
grep -Eq '^Find to Measure, 2 processes, 1000 rounds in ' messages || fail "the table has no rounds" messages
DAL_STATS=stats.json DAL_TRACE=trace.json run 0 program/events
grep -q '"channel": "events".*"most": 32.*"packet_tokens": 7035' stats.json || fail "the file has no tokens" stats.json
python3 - trace.json <<'END' || fail "the time line lacks tokens, or rounds"
import json, sys
events = [e for e in json.load(open(sys.argv[1]))["traceEvents"] if e["ph"] == "X"]
rounds = [e["args"]["firings"] for e in events if e["name"] == "Find_to_Measure"]
tokens = [e["args"].get("tokens", 0) for e in events if e["name"] == "Report"]
sys.exit(sum(rounds) != 1000 or max(rounds) < 2 or sum(tokens) != 7035)
END
# What came out is in the event that made it: of a launch where the packets lie, or when they have come; of a core.
for kind in '' staged naive; do
    build machine.xml "* 0 core_0" "Find 0 core_0" "Measure 2 $device\"16\" shadowcopies=\"4\"" \
        ${kind:+"<channel name=\"pulses\" kind=\"$kind\"/><channel name=\"events\" kind=\"$kind\"/>"}
    for queues in '' 1; do
        [ -z "$queues" ] || export DAL_TRANSFER_QUEUES=1
        DAL_STATS=stats.json DAL_TRACE=trace.json run 0 program/events
        unset DAL_TRANSFER_QUEUES
        python3 - <<'END' || fail "the time line lacks tokens that came out: ${kind:-in place} $queues"
import collections, json
out = collections.Counter()
for e in json.load(open("trace.json"))["traceEvents"]:
    if e["ph"] == "X":
        assert e["args"].get("tokens", 0) >= e["args"].get("tokens_out", 0), e
        out[e["name"]] += e["args"].get("tokens_out", 0)
counted = {c["channel"]: c["packet_tokens"] for c in json.load(open("stats.json"))["channels"]}
assert out["Find"] == counted["pulses"] > 0 and out["Measure"] == counted["events"] == 7035, (out, counted)
END
    done
done
echo "tokens that came out, in the events"
synthesise --explain -o program "$file" machine.xml mapping.xml
grep -Eq '^pulses .* up to 32 +32, packet 1056 ' made || fail "the plan does not show packets" made

# ---- in the simulator ----------------------------------------------------------------------------

# in_simulator COMMAND...: it finds nothing
in_simulator() {
    rm -f findings
    OCL_ICD_VENDORS=$work/vendors OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1 \
        OCLGRIND_LOG=$work/findings "$@"
    [ ! -s findings ] || fail "the simulator has found something: $*" findings
}
if simulator vendors; then
    network stress input/stress.xml
    in_simulator "$dalinfo" --architecture -o simulated.xml
    for group in yes no; do
        in_simulator build simulated.xml "* 0 core_0" "Keep 2 $device\"4\" group=\"$group\"" \
            "Twice 1 $device\"8\" group=\"$group\""
        in_simulator run 0 program/stress -p Start.firings=200 --strict
    done
fi
