#!/usr/bin/env bash
# One network over several nodes, as ranks of MPI on this machine: the same bytes on any mapping, orderly ends, and
# ends that are not.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

find_mpi || exit 77
cp "$input"/* .
without_leaks # test_nodes looks for ours

# bind FILE [PROCESS PROCESSORS]...
bind() {
    local file=$1 lines=() name
    shift
    while [ $# -gt 0 ]; do
        lines+=("<binding name=\"b${#lines[@]}\"><process name=\"$1\"/>")
        for name in $2; do
            lines[-1]+="<processor name=\"$name\"/>"
        done
        lines[-1]+='</binding>'
        shift 2
    done
    printf '%s\n' '<mapping name="m">' "${lines[@]}" '</mapping>' >"$file.xml"
}

make_one() { # MAPPING OPTION...
    synthesise -o "$1" "${@:2}" spread.xml cluster.xml "$1.xml"
}

sums() {
    grep checksum output | sort
}

same() { # N MAPPING OPTION...
    run 0 ranks "$1" "$2/spread" "${@:3}"
    [ "$(sums)" = "$wanted" ] || fail "$2 ${*:3}: not \"$wanted\"" output messages
}

# ---- the same bytes ----------------------------------------------------------------------------------

bind one '*' core_0
bind two Source core_0 Mix core_0 Sum far/core_0 Pack far/core_1 Print_0 core_1 Print_1 far/core_1 Print_2 core_0
bind three Source far/core_0 Mix core_0 Sum away/core_0 Pack 'far/core_*' Print_0 away/core_0 Print_1 away/core_0 \
    Print_2 core_1
bind readers Source core_0 Print_0 'far/core_0 far/core_1' Mix far/core_1 Sum far/core_1 Pack far/core_1 \
    Print_1 far/core_1 Print_2 far/core_1 # a port with all of its readers elsewhere
make_one one
make_one two --explain
expect "nodes: near (rank 0), far (rank 1); 4 of the channels lead from one to another" made
expect "Mix is on node near and Sum on node far: a ring on each" made
expect "near: core_0" made
make_one three
make_one readers
run 0 one/spread
wanted=$(sums)
for _ in 1 2 3; do
    same 2 two
    same 3 three
    same 2 readers
done
run 0 one/spread -p Source.limit=1
wanted=$(sums)
same 2 two -p Source.limit=1
same 3 three -p Source.limit=1
run 0 one/spread -p Source.limit=200
wanted=$(sums)
same 3 three -p Source.limit=200 -p Source.pause=4 # it sleeps between tokens
# The sinks end, one after the other; then nobody reads any more.
run 0 one/spread -p Print_0.enough=70 -p Print_1.enough=300 -p Print_2.enough=9
wanted=$(sums)
same 2 two -p Print_0.enough=70 -p Print_1.enough=300 -p Print_2.enough=9
same 3 three -p Print_0.enough=70 -p Print_1.enough=300 -p Print_2.enough=9
# One rank comes later than the others.
run 0 one/spread -p Source.limit=200
wanted=$(sums)
for late in 0 1; do
    echo "[ \$OMPI_COMM_WORLD_RANK != $late ] || sleep 3; exec two/spread -p Source.limit=200" >late.sh
    run 0 ranks 2 sh late.sh
    [ "$(sums)" = "$wanted" ] || fail "rank $late is late: not \"$wanted\"" output messages
done
DAL_STATS=1 same 2 two -p Source.limit=200
expect "spread on 2 nodes, clocks agree to" messages
[ "$(grep -c '^process ' messages)" -eq 1 ] || fail "more than one table" messages
for line in 'Mix ' 'Sum ' 'back  *remote ' 'mixed  *near  *far ' 'back  *far  *near '; do # of either rank, once
    [ "$(grep -c "^$line" messages)" -eq 1 ] || fail "not one line of '$line'" messages
done
if command -v python3 >/dev/null; then
    DAL_STATS=stats.json DAL_TRACE=trace.json DAL_TIMES=times.json same 3 three -p Source.limit=200
    python3 - <<'END' || fail "trace or times"
import json
trace, times = json.load(open("trace.json")), json.load(open("times.json"))
stats = json.load(open("stats.json"))
assert [node["node"] for node in stats["nodes"]] == ["near", "far", "away"], stats["nodes"]
assert stats["nodes"][0]["clock_error_ns"] == 0 < stats["nodes"][1]["clock_error_ns"]
where = {entry["process"]: entry["node"] for entry in stats["processes"]}
assert where == {"Source": "far", "Mix": "near", "Sum": "away", "Pack": "far", "Print_0": "away", "Print_1": "away",
                 "Print_2": "near"}, where
for entry in stats["channels"]:
    assert entry["node"] == where[entry["to"]["process"]], entry
    assert (entry["kind"] == "remote") == (where[entry["from"]["process"]] != entry["node"]), entry
for entry in stats["flows"]:
    channel = [c for c in stats["channels"] if c["channel"] == entry["channel"]][0]
    assert entry["from"] == where[channel["from"]["process"]] != entry["to"], entry
    assert entry["bytes"] >= entry["tokens"] * channel["token_bytes"] > 0, entry
    assert 0 < entry["messages"] <= entry["tokens"], entry
assert stats["flows"] and len({c["channel"] for c in stats["channels"]}) == len(stats["channels"])
named = {e["pid"]: e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "process_name"}
assert named == {1: "near", 2: "far", 3: "away"}, named
events = [e for e in trace["traceEvents"] if e["ph"] == "X"]
assert {e["pid"] for e in events} == {1, 2, 3}
assert min(e["ts"] for e in events) >= 0
errors = trace["otherData"]["clock error ns"]
assert set(errors) == {"far", "away"} and min(errors.values()) > 0, errors
# What is read on one node was written on another before.
first = {e["name"]: e["ts"] for e in sorted(events, key=lambda e: -e["ts"])}
assert first["Source"] < first["Mix"] + 1e-3 * errors["far"], first
assert times["dal-times"] == 2 and times["machine"]["cores"], times
processes = sorted(entry["process"] for entry in times["times"])
assert processes == ["Mix", "Pack", "Print_0", "Print_1", "Print_2", "Source", "Sum"], times
END
    run 0 "$dalsynth" --check --explain --measured=stats.json spread.xml cluster.xml three.xml
    [ "$(awk '/^measured/ { all = 1 } all && / (core|cores|remote) .* as predicted$/' output | wc -l)" -eq \
        "$(grep -c '{"channel": .*"kind"' stats.json)" ] || fail "other bytes than predicted" output
fi

if [ "${OCL_ICD_VENDORS:-}" != /nowhere ] && "$dalinfo" --architecture 2>/dev/null | grep -q 'name="device_0" type'; then
    bind device Source core_0 Mix core_0 Sum far/device Pack far/core_0 Print_0 far/core_0 Print_1 far/core_0 \
        Print_2 far/core_0
    make_one device
    same 2 device -p Source.limit=200
fi

# ---- processes that wait for each other over nodes ----------------------------------------------------

kpn=$source/test/kpn/input
bind split-one '*' core_0
bind split-two numbers core_0 split core_0 copy far/core_0 merge far/core_1 watch core_1 print core_0
bind split-three numbers away/core_0 split core_0 copy far/core_0 merge away/core_1 watch far/core_1 print core_0
bind dead one far/core_0 two core_0
for one in split-one split-two split-three dead; do
    synthesise -o $one "$kpn/${one%-*}.xml" cluster.xml $one.xml
done
run 0 split-one/split -p numbers.count=2000
wanted=$(sort output)
for n in two three; do
    run 0 ranks $((2 + (${#n} > 3))) split-$n/split -p numbers.count=2000
    [ "$(sort output)" = "$wanted" ] || fail "split-$n: not \"$wanted\"" output messages
    expect "tokens, since processes waited for each other" messages
done
run 1 ranks 2 split-two/split --max-memory=64
expect "channels have grown as far as --max-memory allows" messages
expect "process merge waits for 1 token of channel right (0 of 1 there), which process split writes" messages
expect "node far has no room for tokens of channel left (16 of 16 there), which process copy reads" messages
run 1 ranks 2 dead/dead
expect "deadlock: these processes wait for each other's tokens" messages
expect "process two waits for 1 token of channel there (0 of" messages
expect "process one waits for 1 token of channel back (0 of" messages

# The same while others go on for ever.
bind apart Writes core_0 Reads far/core_0 Tick core_0 Tock core_1
synthesise -o goes_on goes_on.xml cluster.xml apart.xml
# shellcheck disable=SC2086 # words
run 1 timeout 60 $launch -n 2 goes_on/goes_on -p Writes.dead=1
expect "process Writes waits for 1 token of channel back (0 of" messages
expect "process Reads waits for 1 token of channel first (0 of" messages
# shellcheck disable=SC2086
start timeout 60 $launch -n 2 goes_on/goes_on
until_so grep -q "back came 780" output
kill -TERM $running
ended

# Processes of fixed rates wait for what is newest, and for a ring that leads over another node.
bind fresh_map Number core_0 Mid far/core_0 Show core_1
synthesise -o fresh fresh.xml cluster.xml fresh_map.xml
run 0 ranks 2 fresh/fresh
expect "the end" output
expect "tokens, since processes waited for each other" messages

# A and C are on one core, and a way between them leads through another node: they do not fire as one.
for far in far/core_0 away/core_0; do
    echo '<mapping name="m" processnetwork="detour">
        <binding name="a"><process name="*"/><processor name="core_0"/></binding>
        <binding name="b"><process name="B"/><processor name="'$far'"/></binding></mapping>' >away.xml
    synthesise -o detour detour.xml cluster.xml away.xml
    run 0 ranks 2 detour/detour
    expect "sum 499500" output
done

# ---- what is refused ---------------------------------------------------------------------------------

run 1 two/spread
expect "network spread is for 2 nodes, and 1 rank of it runs; start it with: mpirun -n 2 two/spread" messages
run 1 ranks 3 two/spread
expect "network spread is for 2 nodes, and 3 ranks of it run; start it with: mpirun -n 2 two/spread" messages
${CC:-cc} -shared -fPIC -o funnelled.so funnelled.c
run 1 ranks 1 env LD_PRELOAD="$PWD/funnelled.so" ASAN_OPTIONS="${ASAN_OPTIONS:-}:verify_asan_link_order=0" two/spread
expect "network spread: MPI: this MPI has no MPI_THREAD_SERIALIZED" messages
run 0 two/spread --help
run 0 two/spread --check
run 2 ranks 2 two/spread -p Sum.limit=1 # found by one rank, told to the other
expect "process Sum has no parameter limit" messages
CFLAGS=-O1 make_one readers
run 1 ranks 1 two/spread : -n 1 readers/spread
expect "node far (rank 1) runs another build of the program than node near (rank 0)" messages
bind all '*' 'core_0 far/core_0'
echo '<mapping name="m"><binding name="all"><process name="*"/><processor name="*core_0"/></binding></mapping>' >all.xml
refuse "processor 'far/core_0' is of node 'far', but 'core_0' of node 'near'; a process runs on one node" \
    spread.xml cluster.xml all.xml

# ---- ends --------------------------------------------------------------------------------------------

# begin: two ranks without an end, which have begun; `far` is the process of rank 1
begin() {
    rm -f got_0 got_1
    # shellcheck disable=SC2086
    start $launch -n 2 two/spread -p Source.limit=0 -p Source.pause=1 -p Print_0.file=got_0 -p Print_1.file=got_1
    until_so grep -q first output
    until_so ranks_are_there
}

# all_of FILE REFERENCE: the file has whole firings of a sink, from the first on
all_of() {
    local bytes
    bytes=$(stat -c %s "$1")
    [ "$bytes" -gt 0 ] && [ $((bytes % 16)) -eq 0 ] || fail "$1 has $bytes bytes"
    cmp -n "$bytes" "$1" "$2" || fail "$1 has other bytes"
}

# whole: every sink has whole firings
whole() {
    local number bytes rest
    [ "$(sums | wc -l)" -eq 3 ] || fail "not all sinks have ended" output messages
    sums | while read -r number bytes rest; do
        [ "$number" = 2: ] || [ $((bytes % 16)) -eq 0 ] || fail "$number $bytes $rest"
    done
}

run 0 one/spread -p Print_0.file=all_0 -p Print_1.file=all_1
for who in near far; do # one is asked to stop, and all do
    begin
    kill -TERM ${!who}
    ended
    [ $status -eq 0 ] || fail "exit status $status after SIGTERM" output messages
    whole
    all_of got_0 all_0
    all_of got_1 all_1
done
begin # mpirun is, whose exit status says so
kill -INT $running
ended
whole
all_of got_0 all_0
all_of got_1 all_1

begin # one is killed
kill -KILL $far
ended
[ $status -ne 0 ] || fail "exit status 0 after SIGKILL"
expect "node far (rank 1, process $far) is gone" messages
all_of got_0 all_0
begin
kill -KILL $near
ended
[ $status -ne 0 ] || fail "exit status 0 after SIGKILL"
expect "node near (rank 0, process $near) is gone" messages
all_of got_1 all_1

begin # one stands still for a while
kill -STOP $far
sleep 5
kill -CONT $far
sleep 0.2
kill -TERM $far
ended
[ $status -eq 0 ] || fail "exit status $status after SIGSTOP" output messages
whole
all_of got_0 all_0
all_of got_1 all_1

# One ends in the middle of a firing, without a word.
status=0
ranks 2 two/spread -p Print_1.fail=100 >output 2>messages || status=$?
[ $status -ne 0 ] || fail "exit status 0 after _exit"
expect "node far (rank 1, process" messages

# ---- the n-th call of MPI fails ----------------------------------------------------------------------

# DAL_TEST_STRIDE=1: more of them
stride=${DAL_TEST_STRIDE:-2}
run 0 one/spread -p Source.limit=20
wanted=$(sums)
for ((n = ${DAL_TEST_FIRST:-1}; n < 2000; n += 1 + n * stride / 6)); do
    for rank in 0 1; do
        status=0
        DAL_MPI_FAIL=$n DAL_MPI_FAIL_RANK=$rank ranks 2 two/spread -p Source.limit=20 >output 2>messages || status=$?
        if [ $status -eq 0 ]; then
            [ "$(sums)" = "$wanted" ] || fail "call $n of rank $rank: other bytes" output
        else
            grep -qE 'error: .*(MPI|node)' messages || fail "call $n of rank $rank: no message" messages
        fi
    done
done

# ---- what is not given back ----------------------------------------------------------------------------

known=$(dirname "$(command -v mpirun)")/../share/openmpi/openmpi-valgrind.supp
if [ -z "${DAL_SANITIZER:-}" ] && [ -e "$known" ] && command -v valgrind >/dev/null; then
    run 0 one/spread -p Source.limit=20
    wanted=$(sums)
    run 0 ranks 2 valgrind -q --num-callers=50 --leak-check=full --errors-for-leak-kinds=definite --error-exitcode=99 \
        --suppressions="$known" --suppressions="$source/test/valgrind.supp" two/spread -p Source.limit=20
    [ "$(sums)" = "$wanted" ] || fail "under valgrind: not \"$wanted\"" output messages
else
    echo "leaks are not looked for: valgrind, or what it has to know of Open MPI, is missing"
fi
echo "all as expected"
