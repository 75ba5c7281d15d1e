#!/usr/bin/env bash
# Taps on networks drawn by chance (random_network.c): they change no byte, and each process alone gives its bytes. In some of
# them two mappings record the same, a recording stands for its process, and dal diff finds a wrong bit, upstream first.
#
#   TAPPED_NETWORKS=N   how many networks (3)
#   TAPPED_PLANTED=N    how many of them have a wrong bit planted, the first that can (3)
#   TAPPED_SEED=S       the first network's seed (13); a failure prints its own
#   TAPPED_KEEP=DIR     where the folder of a failed network goes
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

first=${TAPPED_SEED:-13} networks=${TAPPED_NETWORKS:-3} plants=${TAPPED_PLANTED:-3}
export CFLAGS='-O0' OMP_WAIT_POLICY=passive
dal=$build/tools/dal
"$dalinfo" --architecture -o "$work/machine.xml"
cores=$(grep -c 'name="core_[0-9]*" type' "$work/machine.xml")
devices=$(grep -c 'name="device_[0-9]*" type' "$work/machine.xml" || true)
{
    echo '<architecture name="cluster"><shared name="n0"/>'
    sed -n '/<processor /,/<\/processor>/p' "$work/machine.xml" | sed '/<port /d; s| id="[0-9]*"||; s|<processor name="|&n0/|'
    echo '</architecture>'
} >"$work/cluster.xml"
mapping '* 0 n0/core_0' >"$work/one.xml"
mapping '* 0 n0/core_*' >"$work/cores.xml"

complain() { # TEXT FILE...
    echo "again: TAPPED_SEED=$seed TAPPED_NETWORKS=1 TAPPED_PLANTED=1 TAPPED_KEEP=/tmp/network-$seed test/determinism/tapped.sh"
    [ -z "${TAPPED_KEEP:-}" ] || cp -r . "$TAPPED_KEEP"
    fail "seed $seed: $1" "${@:2}"
}

# make_program MAPPING OPTION...: always as `program`, so ccache knows what is the same in several
make_program() {
    made="dalsynth ${*:2} on $1"
    rm -rf program
    "$dalsynth" "${@:2}" -o program network-1.xml ../cluster.xml "$1" >log 2>&1 || complain "$made" log
}

# run_there STREAMS: the program leaves its streams in that folder, which are what it writes without taps
run_there() {
    local file
    mkdir -p "$1"
    (cd "$1" && ../program/network) >log 2>&1 || complain "$made: it ended with $?" log
    for file in "$1"/P*; do
        [ ! -e "$file" ] || cmp "$file" "plain/${file##*/}" >log 2>&1 || complain "$made: other bytes" log
    done
}

# record NAME MAPPING: with all taps, into rec-NAME
record() {
    make_program "$2" --tap='*'
    DAL_TAP=$PWD/rec-$1 run_there "$1"
}

# leave_alone PROCESS...: each of them gets what it got, and gives what it gave
leave_alone() {
    make_program ../one.xml "${@/%/=$PWD/rec-mapped}"
    run_there alone
    alone=$((alone + $#))
}

plant() { # PROCESS...
    local port firing token status=0 line copies process givers=() # all but sinks
    record cores ../cores.xml
    "$dal" diff rec-mapped rec-cores >log 2>&1 || complain "two mappings differ" log
    for process; do
        [ -e "plain/${process##*[.=]}" ] || givers+=("${process#--only=}")
    done
    make_program ../cores.xml --replay="${givers[seed % ${#givers[@]}]}=$PWD/rec-mapped"
    run_there replayed
    "$dal" expand network-1.xml >flat.xml
    "$python" "$source/test/determinism/plant.py" "$seed" flat.xml rec-cores >plant
    [ -s plant ] || return 0 # no process can have one
    read -r port firing token <plant
    make_program ../cores.xml --tap='*'
    mkdir -p wrong
    (cd wrong && DAL_TAP=../rec-wrong ../program/network) >log 2>&1 || complain "with a wrong bit it ended with $?" log
    "$dal" diff rec-cores rec-wrong >log 2>&1 || status=$?
    read -r line <log || true
    if [ $status != 1 ] || ! [[ $line =~ ^"$port: "("firing $firing, ")?"token $token, " ]]; then
        complain "$port is wrong in firing $firing, token $token" log
    fi
    copies=$(sed -n "/\.name = \"${port%.*}\"/,/}/s/.*shadow_copies = \([0-9]*\).*/\1/p" program/net.c)
    [ "${copies:-1}" -lt 2 ] || in_copies=$((in_copies + 1))
    found=$((found + 1))
}

try() {
    local processes map=map-1.xml
    mkdir "$work/network-$seed"
    cd "$work/network-$seed"
    cp "$input"/*.[ch] .
    "$build/test/determinism/random_network" "$seed" . "$cores" "$((seed % 2 ? devices : 0))@1"
    if [ $((seed % 3)) -eq 0 ]; then
        "$dal" expand network-1.xml >flat.xml
        counted=$((counted + $("$python" "$source/test/determinism/count.py" flat.xml)))
        mv flat.xml network-1.xml
        map=../cores.xml # the other one has the generator's taps
    fi
    make_program ../one.xml
    run_there plain
    record mapped "$map"
    mapfile -t processes < <("$dalsynth" --list=processes network-1.xml | sed -n '/\(^\|\.\)P[0-9]*$/s/^/--only=/p')
    leave_alone "${processes[@]}"
    [ "$found" -ge "$plants" ] || plant "${processes[@]}"
    cd "$work"
    rm -rf "network-$seed"
}

python=$(command -v python3) || skip "there is no python3"
alone=0 found=0 in_copies=0 counted=0 count=0
for ((seed = first; seed < first + networks; seed++)); do
    is_next || continue
    try
    count=$((count + 1))
done
echo "$count networks, $counted counted channels, $alone processes alone, $found planted bits found," \
    "$in_copies of them in processes with copies"
