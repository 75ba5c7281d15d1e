#!/usr/bin/env bash
# Advice (dalsynth --explain --advice): in random networks with a bottleneck that was put there, it names that one, and
# the change that it thinks best is one that helps there; what it writes is a mapping; so do programs that sleep.
# ADVICE_ROUNDS=N: so many networks of each kind.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

rounds=${ADVICE_ROUNDS:-12}
RANDOM=${ADVICE_SEED:-7}

cat >begin.c <<'END'
#include "dal.h"
#include <time.h>
struct _local_states { int next; };
int begin_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->next, sizeof(int), p);
    return ++p->local->next == 40;
}
END
napping work 4000000 'struct _local_states { int count; };' >work.c
cat >end.c <<'END'
#include "dal.h"
int end_fire(DALProcess *p)
{
    int token;
    DAL_read(PORT_in, &token, sizeof(token), p);
    return 0;
}
END

# chain SIZE...: a channel of each size between two of P0, P1, ...; where `side` is given, Q reads what P$side writes, too
side=
chain() {
    local i count=$# ports
    echo '<processnetwork name="chain">'
    for ((i = 0; i <= count; i++)); do
        ports=
        [ $i -eq 0 ] || ports+='<port type="input" name="in"/>'
        [ $i -eq "$count" ] || ports+='<port type="output" name="out"/>'
        echo "<process name=\"P$i\">$ports<source type=\"c\" location=\"$([ $i -eq 0 ] && echo begin ||
            { [ $i -eq "$count" ] && echo end || echo work; }).c\"/></process>"
    done
    for ((i = 0; i < count; i++)); do
        channel "c$i" "P$i" out "P$((i + 1))" in "size=\"$1\""
        shift
    done
    if [ -n "$side" ]; then
        echo '<process name="Q"><port type="input" name="in"/><source type="c" location="end.c"/></process>'
        channel side "P$side" out Q in | sed 's/name="to_side"/name="also_to_side"/'
    fi
    echo '</processnetwork>'
}

# cores PROCESSOR...: what P0, P1, ... are bound to; Q is where P0 is
cores() {
    local i=0 name
    [ -z "$side" ] || echo "Q - $1"
    for name; do
        echo "P$i - $name"
        i=$((i + 1))
    done
}

# times NS...
times() {
    local i=0 text=${side:+'"Q": 100'}
    for ns; do
        text+="${text:+, }\"P$i\": $ns"
        i=$((i + 1))
    done
    echo "{$text}" >times.json
}

# branch NUMBER COUNT: in every other network Q reads what one of so many writes, but not P$NUMBER
branch() {
    side=$((RANDOM % (2 * $2)))
    [ "$side" -lt "$2" ] && [ "$side" -ne "$1" ] || side=
}

about() { # NUMBER: within a fifth
    echo $(($1 * (90 + RANDOM % 20) / 100))
}

# advise [FILE]: what is said goes to `said`
advise() {
    rm -f advised.xml
    "$dalsynth" --check --explain --times=times.json --advice=advised.xml network.xml "${1:-machine.xml}" mapping.xml >said 2>log ||
        fail "no advice" log network.xml mapping.xml
    [ -s advised.xml ] || fail "no mapping" said
}

# right KIND TEXT: is that what it names?
declare -A named all
right() {
    all[$1]=$((${all[$1]:-0} + 1))
    if grep -qE "^advice: what limits it is $2" said; then
        named[$1]=$((${named[$1]:-0} + 1))
    else
        echo "$1: not $2: $(grep '^advice' said)"
    fi
}

# period FILE: predicted with that mapping, in ns
period() {
    "$dalsynth" --check --explain --times=times.json network.xml "${2:-machine.xml}" "$1" 2>log |
        awk '/^predicted:/ { print int($2 * ($3 == "s" ? 1e9 : $3 == "ms" ? 1e6 : $3 == "us" ? 1e3 : 1)) }'
}

# better KIND [MACHINE]: the mapping that was written is as good as was said
better() {
    local before after
    before=$(period mapping.xml "${2:-}") after=$(period advised.xml "${2:-}")
    [ -n "$before" ] && [ -n "$after" ] && [ "$after" -lt $((before * 98 / 100)) ] ||
        fail "$1: $before ns, and with what was advised $after" said advised.xml
}

architecture core_0 core_1 core_2 core_3 core_4 core_5 | sed 's/identifier="[0-9]"/identifier="0"/' >machine.xml

# ---- a process that takes long --------------------------------------------------------------------

for ((round = 0; round < rounds; round++)); do
    sizes=() place=() ns=() count=$((3 + RANDOM % 4)) slow=$((RANDOM % 3))
    branch "$slow" 3
    for ((i = 0; i <= count; i++)); do
        [ $i -eq "$count" ] || sizes+=($((4 + RANDOM % 12)))
        place+=("core_$((i % 6))")
        ns+=("$(about 10000)")
    done
    ns[slow]=$(about 400000)
    chain "${sizes[@]}" >network.xml
    mapfile -t lines < <(cores "${place[@]}")
    mapping "${lines[@]}" >mapping.xml
    times "${ns[@]}"
    advise
    right process "process P$slow, which has core_$slow for itself"
done

# ---- a core with too many -------------------------------------------------------------------------

for ((round = 0; round < rounds; round++)); do
    sizes=() place=() ns=() count=$((4 + RANDOM % 3)) crowded=$((RANDOM % 4))
    branch -1 3
    for ((i = 0; i <= count; i++)); do
        [ $i -eq "$count" ] || sizes+=($((4 + RANDOM % 12)))
        place+=("core_$crowded")
        ns+=("$(about 50000)")
    done
    # Two of them have cores of their own.
    place[RANDOM % 2]="core_$(((crowded + 1) % 4))"
    place[2 + RANDOM % 2]="core_$(((crowded + 2) % 4))"
    chain "${sizes[@]}" >network.xml
    mapfile -t lines < <(cores "${place[@]}")
    mapping "${lines[@]}" >mapping.xml
    times "${ns[@]}"
    advise
    right core "processor core_$crowded, which several processes share"
    better core
done

# ---- a channel that holds too little --------------------------------------------------------------

for ((round = 0; round < rounds; round++)); do
    sizes=() place=() ns=() count=$((3 + RANDOM % 3)) narrow=$((RANDOM % 3))
    branch "$narrow" 3
    for ((i = 0; i <= count; i++)); do
        [ $i -eq "$count" ] || sizes+=($((8 + RANDOM % 12)))
        place+=("core_$i")
        ns+=("$(about 50000)")
    done
    sizes[narrow]=1
    chain "${sizes[@]}" >network.xml
    mapfile -t lines < <(cores "${place[@]}")
    mapping "${lines[@]}" >mapping.xml
    times "${ns[@]}"
    advise
    right capacity "the capacity of channel c$narrow "
    better capacity
done

# ---- a slow link ----------------------------------------------------------------------------------

cat >cluster.xml <<'END'
<architecture name="cluster">
  <shared name="near"><port name="a"/><port name="b"/><port name="w"/></shared>
  <shared name="far"><port name="a"/><port name="b"/><port name="w"/></shared>
  <processor name="core_0" type="RISC"><port name="p"/><capability name="POSIX" identifier="0"/></processor>
  <processor name="core_1" type="RISC"><port name="p"/><capability name="POSIX" identifier="0"/></processor>
  <processor name="core_2" type="RISC"><port name="p"/><capability name="POSIX" identifier="0"/></processor>
  <processor name="core_3" type="RISC"><port name="p"/><capability name="POSIX" identifier="0"/></processor>
  <link name="l0"><end_point_1 name="core_0"><port name="p"/></end_point_1><end_point_2 name="near"><port name="a"/></end_point_2></link>
  <link name="l1"><end_point_1 name="core_1"><port name="p"/></end_point_1><end_point_2 name="near"><port name="b"/></end_point_2></link>
  <link name="l2"><end_point_1 name="core_2"><port name="p"/></end_point_1><end_point_2 name="far"><port name="a"/></end_point_2></link>
  <link name="l3"><end_point_1 name="core_3"><port name="p"/></end_point_1><end_point_2 name="far"><port name="b"/></end_point_2></link>
  <link name="wire" latency="1us" bandwidth="1Mbit/s">
    <end_point_1 name="near"><port name="w"/></end_point_1><end_point_2 name="far"><port name="w"/></end_point_2></link>
</architecture>
END
side= # a reader there would make two ways over the link
for ((round = 0; round < rounds; round++)); do
    sizes=() place=() ns=() count=$((2 + RANDOM % 3)) cut=$((RANDOM % 2))
    for ((i = 0; i <= count; i++)); do
        [ $i -eq "$count" ] || sizes+=($((16 + RANDOM % 32)))
        place+=("core_$((i <= cut ? i % 2 : 2 + i % 2))")
        ns+=("$(about 2000)")
    done
    chain "${sizes[@]}" >network.xml
    mapfile -t lines < <(cores "${place[@]}")
    mapping "${lines[@]}" >mapping.xml
    times "${ns[@]}"
    advise cluster.xml
    right link "the way of tokens: messages from the node of core_$((cut % 2))"
done

total=0 hits=0
for kind in process core capacity link; do
    echo "$kind: ${named[$kind]:-0} of ${all[$kind]} named"
    total=$((total + all[$kind])) hits=$((hits + ${named[$kind]:-0}))
done
[ $((100 * hits)) -ge $((95 * total)) ] || fail "$hits of $total bottlenecks are named"

# ---- programs that sleep --------------------------------------------------------------------------

side=
# Three that sleep share a core; the mapping that is advised is shorter in truth.
chain 8 8 8 8 >network.xml
mapfile -t lines < <(cores core_0 core_1 core_1 core_1 core_0)
mapping "${lines[@]}" >mapping.xml
export CFLAGS=-O1 # of times, too
synthesise -o first network.xml machine.xml mapping.xml
took() { # FOLDER: sets `took`, ms of a run
    DAL_STATS=run.json run 0 "$1/chain"
    took=$(sed -n 's/.*"wall_ns": \([0-9]*\)[0-9]\{6\},*$/\1/p' run.json | head -n 1)
}
DAL_TIMES=times.json run 0 first/chain
advise
right sleeping "processor core_1, which several processes share"
[ "${named[sleeping]:-0}" -eq 1 ] || fail "of programs that sleep" said
synthesise -o second network.xml machine.xml advised.xml
for try in 1 2 3; do
    took first
    before=$took
    took second
    echo "before $before ms, then $took ms"
    [ "$took" -ge $((before * 85 / 100)) ] || break
    [ $try -lt 3 ] || fail "what is advised does not help in truth"
done

for options in "--explain" "--check --times=times.json" "--analyze --times=times.json"; do
    # shellcheck disable=SC2086 # words
    run 2 "$dalsynth" $options --advice network.xml machine.xml mapping.xml
done
echo '{"P0": 5}' >some.json
run 1 "$dalsynth" --check --explain --times=some.json --advice network.xml machine.xml mapping.xml
expect "without the times of all processes" messages
run 1 "$dalsynth" --check --explain --times=times.json --advice=nowhere/x.xml network.xml machine.xml mapping.xml
expect "nowhere/x.xml cannot be written" messages
echo "$hits of $total bottlenecks named"
