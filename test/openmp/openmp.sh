#!/usr/bin/env bash
# OpenMP in processes: the same bytes with a team of any size, a team that has its cores for itself, and plain words
# where there are too few of them, where an order is not fixed, where ports are used in a region, or without OpenMP.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

echo '#include <omp.h>' | ${CC:-cc} -fopenmp -E - >/dev/null 2>&1 || skip "the compiler has no OpenMP"
cp "$input"/* .
architecture core_0 core_1 core_2 core_3 device_0 >architecture.xml

# Cores of a list that this machine has, of those the first must be one.
there() {
    local core count=0
    taskset -c "$1" true 2>/dev/null || { echo 1 && return; }
    for core; do
        ! taskset -c "$core" true 2>/dev/null || count=$((count + 1))
    done
    echo $count
}

# process NAME TYPE SOURCE PORTS
process() {
    echo "<process name=\"$1\" type=\"$2\">${4:-}<source type=\"c\" location=\"$3\"/></process>"
}
in='<port type="input" name="in"/>'
out='<port type="output" name="out"/>'

# chain SOURCE RATE: Source to Work to Sink; Work is this source, and writes so many numbers.
chain() {
    echo '<processnetwork name="chain">'
    process Source io source.c "$out"
    process "${3:-Work}" local "$1" "$in$out"
    process Sink io sink.c "$in"
    channel numbers Source out "${3:-Work}" in 'tokenratein="64" tokenrateout="64"'
    channel results "${3:-Work}" out Sink in "tokenratein=\"$2\" tokenrateout=\"$2\""
    echo '</processnetwork>'
}

# ---- the same bytes --------------------------------------------------------------------------------------------------

chain work.c 65 >network.xml
for target in '' 'threads="1"' 'threads="2"' 'threads="4"'; do
    mapping "* - core_0" "Work - core_0 $target" >mapping.xml
    synthesise -o out network.xml architecture.xml mapping.xml
    run 0 out/chain
    [ -e expected ] || cp output expected
    cmp output expected || fail "other bytes with $target"
    if [ -n "$target" ]; then
        grep -q '^options_Work = .*-fopenmp$' out/Makefile || fail "not compiled with OpenMP" out/Makefile
    else
        grep -q '^options_Work = .*-fopenmp-simd -Wno-unknown-pragmas$' out/Makefile || fail "no vectors" out/Makefile
        ! grep -q 'openmp ' out/Makefile || fail "OpenMP without threads" out/Makefile
    fi
    ! grep -q '^options_Sink = .*openmp' out/Makefile || fail "OpenMP in a source without any" out/Makefile
done
# A thread of its own has a team as well.
sed -e '/numbers/s/tokenratein="64"/tokenratein="64"/' -e '/numbers/s/tokenrateout="64"/tokenrateout="dynamic"/' \
    -e '/results/s/tokenratein="65"/tokenratein="dynamic"/' network.xml >kpn.xml
mapping "* - core_1" "Work - core_0 threads=\"2\"" >mapping.xml
synthesise -o out kpn.xml architecture.xml mapping.xml
run 0 out/chain
cmp output expected || fail "other bytes of a KPN process"
check "the same bytes" 0

# Without threads, no compiler complains of what it does not do.
sed -e '/omp simd/d' -e 's/^        sum += .*/#pragma omp atomic\n&/' -e 's/ reduction(+ : sum)//' work.c >quiet.c
grep -q atomic quiet.c || fail "the source has no directive"
chain quiet.c 65 >quiet.xml
mapping "* - core_0" >mapping.xml
synthesise -o out quiet.xml architecture.xml mapping.xml
! grep -q warning made || fail "a directive that is not in force has a warning" made
check "directives without threads" 0

# ---- who is where ----------------------------------------------------------------------------------------------------

# looks NAME...: processes that look at their teams
looks() {
    local name
    echo '<processnetwork name="looks">'
    for name; do
        echo "<process name=\"$name\" type=\"io\"><parameter name=\"name\" value=\"$name\"/>"
        echo "<source type=\"c\" location=\"look.c\"/></process>"
    done
    echo '</processnetwork>'
}
for name in A B C; do
    sed "s/Look/$name/" look.c >look_$name.c
done

# team NAME CORE...: what it prints of a team with these cores, where the machine has them
team() {
    local name=$1 core size
    shift
    size=$(there "$@")
    printf '%s %d of %d, %d: %d/%d' "$name" "$size" "$size" "$size" "$size" "$1"
    shift
    for core; do
        [ "$size" -eq 1 ] || ! taskset -c "$core" true 2>/dev/null || printf ' 1/%d' "$core"
    done
    echo
}

# told LINE...: the program prints these lines, in whatever order
told() {
    run 0 out/looks
    printf '%s\n' "$@" | sort >expected
    sort output | diff expected - || fail "another team" messages
}

taskset -c 0 true 2>/dev/null || skip "core 0 is not for this test"
looks A >network.xml
sed -i 's/look.c/look_A.c/' network.xml
mapping "A - core_0 threads=\"2\"" >mapping.xml
synthesise -o out network.xml architecture.xml mapping.xml
told "$(team A 0 1)"
# The cores that a binding names come first; fewer than named is a limit too.
sed 's|<processor name="core_0"/>|<processor name="core_0"/><processor name="core_3"/>|' mapping.xml >named.xml
synthesise --explain -o out network.xml architecture.xml named.xml
expect 'A has a team of 2 threads: core_0,core_3' made
told "$(team A 0 3)"
# As many as there are, and no more: this is told when it is made, with a place.
mapping "A - core_0 threads=\"9\"" >mapping.xml
synthesise --explain -o out network.xml architecture.xml mapping.xml
expect 'mapping.xml:2: warning: [threads] process '"'A'"' gets a team of 4 threads, not 9' made
expect 'A has a team of 4 threads: core_0,core_1,core_2,core_3; not 9, since' made
told "$(team A 0 1 2 3)"
[ "$(there 0 1 2 3)" -eq 4 ] || expect 'this machine lacks cores of it' messages

# What makes OpenMP bind threads to other places moves nobody, neither a team nor the thread that begins.
mapping "A - core_0 threads=\"2\"" >mapping.xml
synthesise -o out network.xml architecture.xml mapping.xml
for place in OMP_PROC_BIND=spread 'OMP_PLACES={1}' GOMP_CPU_AFFINITY=1; do
    export "${place?}"
    told "$(team A 0 1)"
    expect "note: ${place%%=*} means nothing here" messages
    unset "${place%%=*}"
done

# Two at once, on two cores, have no core in common. A third on the first's core fires in turn with it, and shares.
looks A B C >network.xml
sed -i -e '0,/look.c/s//look_A.c/' -e '0,/look.c/s//look_B.c/' -e '0,/look.c/s//look_C.c/' network.xml
mapping "A - core_0 threads=\"2\"" "B - core_1 threads=\"2\"" "C - core_0 threads=\"2\"" >mapping.xml
synthesise --explain -o out network.xml architecture.xml mapping.xml
expect 'A has a team of 2 threads: core_0,core_2' made
expect 'B has a team of 2 threads: core_1,core_3' made
expect 'C has a team of 2 threads: core_0,core_2' made
told "$(team A 0 2)" "$(team B 1 3)" "$(team C 0 2)"
# Where all cores have workers, nobody has a team.
mapping "A - core_0 threads=\"4\"" "B - core_1 threads=\"1\"" "C - core_2 threads=\"3\"" >mapping.xml
synthesise --explain -o out network.xml architecture.xml mapping.xml
expect 'A has a team of 2 threads: core_0,core_3; not 4' made
expect 'B has a team of 1 thread: core_1' made
expect 'C has a team of 1 thread: core_2; not 3' made
check "teams" 0

# ---- what it will do, and several applications -----------------------------------------------------------------------

# A time is of the whole team: with half of the threads a firing takes twice as long.
chain work.c 65 >network.xml
mapping "* - core_0" "Work - core_0 threads=\"2\"" >mapping.xml
synthesise -o out network.xml architecture.xml mapping.xml
run 0 env DAL_TIMES="$PWD/times.json" out/chain
cp output expected
predicted() { # THREADS
    mapping "* - core_0" "Work - core_0 threads=\"$1\"" >mapping.xml
    synthesise --check --explain --times=times.json network.xml architecture.xml mapping.xml
    sed -n 's/^predicted: \([0-9.]*\) \([a-z]*\) an iteration.*/\1 \2/p' made |
        awk '{ print $1 * ($2 == "ms" ? 1000 : $2 == "ns" ? 0.001 : 1) }'
}
awk "BEGIN { part = $(predicted 8) / $(predicted 4); exit part < 1.5 || part > 2.5 }" || fail "half a team is as fast" made

cat >fsm.xml <<'END'
<fsm name="two">
  <application name="A" network="network.xml" mapping="mapping.xml"/>
  <application name="B" network="network.xml" mapping="mapping.xml"/>
  <state name="first" initial="true"><running application="A"/></state>
  <state name="second"><running application="B"/></state>
  <endstate name="off"/>
  <transition from="first" to="second" event="A.finished"/>
  <transition from="second" to="off" event="B.finished"/>
</fsm>
END
synthesise --fsm -o pair fsm.xml architecture.xml
run 0 pair/two
cat expected expected | cmp - output || fail "other bytes of two applications"
check "predictions and applications" 0

# ---- what is said ----------------------------------------------------------------------------------------------------

chain order.c 1 Order >network.xml
mapping "* - core_0" "Order - core_0 threads=\"2\"" >mapping.xml
synthesise --emit -o out network.xml architecture.xml mapping.xml
grep -o 'order.c:[0-9]*:.*openmp-order.*' made | sed "s/, so.*//" >said
diff said - <<'END' || fail "another warning" made
order.c:12:31: warning: [openmp-order] process 'Order': OpenMP reduces 'sum' by '+' in no fixed order
order.c:18:62: warning: [openmp-order] process 'Order': OpenMP reduces 'both' by '*' in no fixed order
order.c:23:32: warning: [openmp-order] process 'Order': a vector reduces 'lanes' by '+' in another order than a loop does
END
mapping "* - core_0" >mapping.xml
synthesise --emit -o out network.xml architecture.xml mapping.xml
[ "$(grep -c openmp-order made)" -eq 1 ] || fail "warnings of what is not in force" made

chain port.c 1 Port >network.xml
mapping "* - core_0" "Port - core_0 threads=\"2\"" >mapping.xml
refuse "port.c:15:9: error: [source-build] 'DAL_write' in a parallel region of OpenMP" \
    network.xml architecture.xml mapping.xml

chain work.c 65 >network.xml
for threads in 0 -1 1025; do
    mapping "* - core_0 threads=\"$threads\"" >mapping.xml
    refuse 'mapping.xml:2: error: [bad-number]' network.xml architecture.xml mapping.xml
done

# A compiler that has no OpenMP is refused by name where it is needed, and only there.
cat >without <<'END'
#!/bin/sh
for word; do
    [ "$word" != -fopenmp ] || { echo "no OpenMP" >&2 && exit 1; }
done
exec cc "$@"
END
chmod +x without
mapping "* - core_0" "Work - core_0 threads=\"2\"" >mapping.xml
CC=$PWD/without refuse "mapping.xml:3: error: [no-openmp] process 'Work' has threads" \
    network.xml architecture.xml mapping.xml
mapping "* - core_0" >mapping.xml
CC=$PWD/without synthesise -o out network.xml architecture.xml mapping.xml
run 0 out/chain
check "what is said" 0
echo "$passed subjects"
