#!/usr/bin/env bash
# State machines over several nodes: what test/fsm/fsm.sh says of two applications on one node, with their processes on
# two; and what only nodes can do to them.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

find_mpi || exit 77
cp "$input"/pair.xml "$source"/test/fsm/input/* .
without_leaks # as nodes.sh

. ./machines.sh

link c Source Sink | network counter >network.xml
mapping "Source - core_0" "Sink - core_1" >map-across.xml
mapping "Source - core_1" "Sink - core_0" >map-back.xml
mapping "* - core_0" >map-near.xml
mapping "* - core_1" >map-far.xml

# make_life NAME A B [STATES]: two applications with these mappings
make_life() {
    machine "$1" network.xml "map-$2.xml" network.xml "map-$3.xml" <"${4:-life.states}" >"$1.xml"
    synthesise --fsm -o "$1" "$1.xml" pair.xml
}

life="$names -p A.Source.half=50 -p A.Source.enough=100 -p B.Source.limit=30"

# What comes of that life: all that was sent has arrived, in each of the two runs of either.
check_life() {
    [ "$(grep -c init output)" = 4 ] && [ "$(grep -c '0 wrong' output)" = 4 ] || fail "another life" output messages
    [ "$(grep -c 'A stood still' output)" = 2 ] || fail "A was not paused" output
    awk '/sent/ { sent[$1] += $3 } /received/ { received[$1] += $3 }
         END { exit !(sent["A:"] == received["A:"] && sent["A:"] > 200 && sent["B:"] == 60 && received["B:"] == 60) }' \
        output || fail "tokens are lost" output
}

# ---- a life: on one node each, across both in either direction

make_life across across back
make_life crossed back across
make_life apart near far
make_life mixed across far
for name in across crossed apart mixed; do
    rm -f progress
    # shellcheck disable=SC2086
    run 0 ranks 2 $name/$name $life -p A.Sink.progress=progress
    [ ! -s messages ] || fail "$name" messages
    check_life
done
rm -f progress
# shellcheck disable=SC2086
run 0 ranks 2 across/across ${life/1000000/30} -p A.Sink.progress=progress # many events wait at the other node

# Statistics: one table of each run, and the events of all nodes.
rm -f progress
# shellcheck disable=SC2086
DAL_STATS=1 DAL_TIMES=times.json DAL_TRACE=t.json run 0 ranks 2 across/across $life -p A.Sink.progress=progress
for name in A-1 A-2 B-1 B-2; do
    expect "$name on 2 nodes" messages
    [ -s "times-$name.json" ] && [ -s "t-$name.json" ] || fail "no times or trace of $name"
done
awk '$1 == "half" { half = $2 == 1 && $3 == 1 } $1 == "enough" { enough = $2 == 2 }
     $1 == "B.finished" { b = $2 == 2 } END { exit !(half && enough && b) }' messages ||
    fail "events are miscounted" messages

# Events that wait at the other node when nothing runs any more (B has ended) are taken all the same.
cat >burst.c <<'END_C'
#include "dal.h"
struct _local_states {
    long next;
};

int Source_fire(DALProcess *p)
{
    long number = p->local->next++;
    int i;
    DAL_write(PORT_out, &number, sizeof(number), p);
    if (number == 0) {
        DAL_send_event("wait", p);
        for (i = 0; i < 5000; i++)
            DAL_send_event("tick", p);
        DAL_send_event("go", p);
    }
    return number == 99;
}
END_C
sed 's/source\.c/burst.c/' network.xml >burst-network.xml
cat >burst.states <<'END_XML'
  <state name="first" initial="true"><running application="A"/></state>
  <state name="idle"><running application="B"/><paused application="A"/></state>
  <state name="again"><running application="A"/></state>
  <transition from="first" to="idle" event="wait"/>
  <transition from="idle" to="again" event="go"/>
  <transition from="again" to="again" event="tick"/>
END_XML
make_life burst back near burst.states
sed -i 's/name="A" network="network/name="A" network="burst-network/' burst.xml
synthesise --fsm -o burst burst.xml pair.xml
# shellcheck disable=SC2086
run 0 ranks 2 burst/burst $names -p B.Source.limit=1
expect "A: received 100, 0 wrong" output
[ ! -s messages ] || fail "events of the other node" messages

# ---- a state without an end: interrupts, errors, ends of a rank

cat >ever.states <<'END_XML'
  <state name="both" initial="true"><running application="A"/><running application="B"/></state>
  <state name="one"><running application="B"/><paused application="A"/></state>
  <transition from="both" to="one" event="half"/>
END_XML
make_life ever across back ever.states
# shellcheck disable=SC2086
run 1 ranks 2 ever/ever $names -p B.Sink.fails=20
expect "application B ended early: a process failed" messages
expect "A: sent" output
expect "A: received" output
# shellcheck disable=SC2086
run 1 ranks 2 ever/ever $names -p A.Sink.fails=20
expect "application A ended early: a process failed" messages
run 1 ever/ever
expect "network ever is for 2 nodes, and 1 rank of it runs; start it with: mpirun -n 2 ever/ever" messages
run 0 ever/ever --check
run 2 ranks 2 ever/ever -p A.Source.limits=3
expect "process Source has no parameter limits" messages

# begin HALF: two ranks without an end, which have begun
begin() {
    rm -f progress
    # shellcheck disable=SC2086
    start $launch -n 2 ever/ever $names -p A.Source.half=$1 -p B.Sink.progress=progress
    until_so far_enough
    until_so ranks_are_there
}

far_enough() {
    [ "$(cat progress 2>/dev/null || true)" -gt 60 ] 2>/dev/null
}

for half in -1 20; do # runs, and is paused
    for who in near far; do
        begin $half
        kill -TERM ${!who}
        ended
        [ $status -eq 0 ] || fail "exit status $status after SIGTERM" output messages
        awk '/sent/ { sent[$1] = $3 } /received/ { received[$1] = $3 + 0; wrong += $4 }
             END { exit !(sent["A:"] && sent["A:"] == received["A:"] && sent["B:"] &&
                          sent["B:"] == received["B:"] && !wrong) }' output ||
            fail "what was sent has not arrived" output
    done
done
begin -1
kill -KILL "$far"
ended
[ $status -ne 0 ] || fail "exit status 0 after SIGKILL"
expect "node far (rank 1, process $far) is gone" messages

# ---- the n-th call of MPI fails

# DAL_TEST_STRIDE=1: more of them
stride=${DAL_TEST_STRIDE:-2}
few="$names -p A.Source.half=5 -p A.Source.enough=10 -p B.Source.limit=3"
for ((n = 1; n < 3000; n += 1 + n * stride / 3)); do
    for rank in 0 1; do
        status=0
        # shellcheck disable=SC2086
        DAL_MPI_FAIL=$n DAL_MPI_FAIL_RANK=$rank ranks 2 across/across $few >output 2>messages || status=$?
        [ $status -eq 0 ] && [ "$(grep -c '0 wrong' output)" = 4 ] || grep -qE 'error: .*(MPI|node)' messages ||
            fail "call $n of rank $rank: no message" messages output
    done
done

# ---- what does not fit

# Alone, A would be of one node, and core_1 need none.
sed '/"l1"/,/<\/link>/d
     s#</architecture>#<processor name="far/core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>&#' \
    pair.xml >homeless.xml
mapping "* - far/core_0" >map-other.xml
sed 's/map-back/map-other/' across.xml >homeless-across.xml
refuse "processor 'core_1' is linked to no node, but the program is for the nodes 'near' and 'far'" \
    --fsm homeless-across.xml homeless.xml
echo "all as expected"
