#!/usr/bin/env bash
# One network over several nodes, as ranks of MPI on this machine: the same bytes on any mapping, orderly ends, and
# ends that are not.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

[ -e "$build/rt/libdal-mpi.la" ] || skip "dal was built without MPI"
command -v mpirun >/dev/null || skip "mpirun is missing"

cp "$input"/* .
# What Open MPI leaves cannot be told from what is ours, since its parts are unloaded; test_nodes looks for ours.
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
launch="mpirun $([ "$(id -u)" -ne 0 ] || echo --allow-run-as-root)"

# ranks N COMMAND...
ranks() {
    # shellcheck disable=SC2086 # words
    $launch -n "$@"
}

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
    printf '%s\n' '<mapping name="m" processnetwork="spread">' "${lines[@]}" '</mapping>' >"$file.xml"
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
DAL_STATS=1 same 2 two -p Source.limit=200
expect "Sum@far" messages
expect "Mix@near" messages

if [ "${OCL_ICD_VENDORS:-}" != /nowhere ] && "$dalinfo" --architecture 2>/dev/null | grep -q 'name="device_0" type'; then
    bind device Source core_0 Mix core_0 Sum far/device Pack far/core_0 Print_0 far/core_0 Print_1 far/core_0 \
        Print_2 far/core_0
    make_one device
    same 2 device -p Source.limit=200
fi

# ---- what is refused ---------------------------------------------------------------------------------

run 1 two/spread
expect "network spread is for 2 nodes, and 1 rank of it runs; start it with: mpirun -n 2 two/spread" messages
run 1 ranks 3 two/spread
expect "network spread is for 2 nodes, and 3 ranks of it run; start it with: mpirun -n 2 two/spread" messages
run 0 two/spread --help
run 0 two/spread --check
# mpirun has the status of the rank that ends first: 2 of the one that finds it, 1 of one that is told
status=0
ranks 2 two/spread -p Sum.limit=1 >output 2>messages || status=$?
[ $status -eq 2 ] || [ $status -eq 1 ] || fail "exit status $status of a wrong parameter" output messages
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
    # shellcheck disable=SC2086
    start $launch -n 2 two/spread -p Source.limit=0 -p Source.pause=1
    until_so grep -q first output
    until_so rank_is_there
}

rank_is_there() {
    pids=$(ps -o pid= --ppid $running | sort -n)
    [ "$(echo "$pids" | wc -l)" -ge 2 ] || return 1
    near=$(rank 0)
    far=$(rank 1)
    [ -n "$near" ] && [ -n "$far" ]
}

rank() {
    local pid
    for pid in $pids; do
        ! tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$1" || echo "$pid"
    done
}

# whole: every sink has whole firings
whole() {
    local number bytes rest
    [ "$(sums | wc -l)" -eq 3 ] || fail "not all sinks have ended" output messages
    sums | while read -r number bytes rest; do
        [ "$number" = 2: ] || [ $((bytes % 16)) -eq 0 ] || fail "$number $bytes $rest"
    done
}

for who in near far; do # one is asked to stop, and all do
    begin
    kill -TERM ${!who}
    ended
    [ $status -eq 0 ] || fail "exit status $status after SIGTERM" output messages
    whole
done

begin # one is killed
kill -KILL $far
ended
[ $status -ne 0 ] || fail "exit status 0 after SIGKILL"
expect "node far (rank 1, process $far) is gone" messages
begin
kill -KILL $near
ended
[ $status -ne 0 ] || fail "exit status 0 after SIGKILL"
expect "node near (rank 0, process $near) is gone" messages

begin # one stands still for a while
kill -STOP $far
sleep 3
kill -CONT $far
sleep 0.2
kill -TERM $far
ended
[ $status -eq 0 ] || fail "exit status $status after SIGSTOP" output messages
whole

# One ends in the middle of a firing, without a word.
status=0
ranks 2 two/spread -p Print_1.fail=100 >output 2>messages || status=$?
[ $status -ne 0 ] || fail "exit status 0 after _exit"
expect "node far (rank 1, process" messages

# ---- the n-th call of MPI fails ----------------------------------------------------------------------

run 0 one/spread -p Source.limit=20
wanted=$(sums)
for n in 1 2 3 5 8 13 21 34 55 89 144 233 377 610 987 100000000; do
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
echo "all as expected"
