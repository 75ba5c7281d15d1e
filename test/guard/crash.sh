#!/usr/bin/env bash
# A process that a signal ends is named, with its firing and windows, and the program ends by that signal. Every run that
# fails writes its report, with the firings that were done.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
[ -z "${DAL_SANITIZER:-}" ] || skip "sanitizers have a handler of their own"

cp "$input"/*.c .
ulimit -S -c 0
architecture core_0 >machine.xml
cat >chain.xml <<'END'
<processnetwork name="chain">
  <process name="Source" source="ramp.c"/>
  <process name="Faulty" source="faulty.c"><parameter name="how" value="0"/><parameter name="at" value="7"/></process>
  <process name="Sink" source="sums.c"/>
  <channel from="Source.out" to="Faulty.in" tokensize="4" tokenratein="100" tokenrateout="100"/>
  <channel from="Faulty.out" to="Sink.in" tokensize="4" tokenratein="100" tokenrateout="100"/>
</processnetwork>
END
mapping "* - core_0" >one.xml
sed 's/tokenratein="100" tokenrateout="100"/tokenratein="dynamic" tokenrateout="dynamic"/' chain.xml >kpn.xml
synthesise -o group chain.xml machine.xml one.xml
synthesise -o apart chain.xml
synthesise -o kpn kpn.xml
declare -A signals=([1]=SEGV [2]=FPE [3]=ABRT [4]=ILL [5]=BUS)

for program in group apart kpn; do
    run 0 $program/chain
    for how in 1 2 3 4 5; do
        number=$(kill -l "${signals[$how]}")
        rm -f stats.json page.html
        run $((128 + number)) env DAL_STATS=stats.json DAL_REPORT=page.html $program/chain -p Faulty.how=$how
        expect "chain: error: process Faulty: SIG${signals[$how]} in fire, in firing 7" messages
        grep -q 'of faulty.c (.*xml:3)$' messages || fail "$program, $how: no source" messages
        [ $program = kpn ] || expect 'process Faulty: output port out has a window of 400 bytes at 0x' messages
        [ $how -ne 1 ] || expect 'firing 7, writing at 0x8, of' messages
        grep -q "process Faulty: SIG${signals[$how]} in fire" page.html || fail "$program, $how: no page with it" messages
        grep -q '"process": "Faulty".* "firings": 6,' stats.json || fail "$program, $how: firings" stats.json
    done
    for at in 0:init 999:finish; do
        run 139 $program/chain -p Faulty.how=1 -p Faulty.at=${at%:*}
        expect "process Faulty: SIGSEGV in ${at#*:}, writing at 0x8, of faulty.c" messages
    done
    run 33 env FAULTY_HANDLER=1 $program/chain -p Faulty.how=1
    expect "process Faulty: SIGSEGV in fire" messages
    rm -f stats.json
    run 139 env FAULTY_HANDLER=gives-up DAL_STATS=stats.json $program/chain -p Faulty.how=1
    expect "process Faulty: SIGSEGV in fire" messages
    grep -q '"process": "Faulty".* "firings": 6,' stats.json || fail "$program: a handler that gives up" messages
    # It fails in other ways: by exit(), a stack that is used up, an error of its own, a thread of its own, a signal from
    # outside while it hangs. The report is there each time.
    while read -r how wanted text; do
        rm -f stats.json
        run "$wanted" env DAL_STATS=stats.json $program/chain -p Faulty.how="$how"
        grep -q "chain: error: .*$text" messages || fail "$program, $how: other words" messages
        grep -q '"process": "Faulty".* "firings": [67],' stats.json || fail "$program, $how: firings" stats.json messages
    done <<'END'
6 1 process Faulty: fire ended the program by exit()
7 1 process Faulty: its stack of 8388608 bytes is used up
8 1 process Faulty: told to
9 139 SIGSEGV in a thread of no process
10 134 SIGABRT in
END
done
# Each phase of a cyclo-static process is a firing. Its loop does not tell the phase; with --guard the runtime calls fire.
sed '5s/rateout="100"/rateout="100,100"/; 6s/ratein="100"/ratein="100,100"/' chain.xml >phases.xml
synthesise -o phases phases.xml machine.xml one.xml
synthesise -o guarded --guard phases.xml machine.xml one.xml
grep -q 'phases = 2' phases/* || fail "not the kind of process that was meant"
run 139 phases/chain -p Faulty.how=1
expect "process Faulty: SIGSEGV in fire, in one of firings 7 to 8, writing at 0x8" messages
for at in 7 8; do
    run 139 guarded/chain -p Faulty.how=1 -p Faulty.at=$at
    expect "process Faulty: SIGSEGV in fire, in firing $at, writing at 0x8" messages
done
rm -f stats.json
run 1 env DAL_STATS=stats.json group/chain -p Faulty.how=11 --stall-timeout=1
expect "process Faulty: its firing does not return; giving up" messages
grep -q '"process": "Faulty".* "firings": 6,' stats.json || fail "it does not return" stats.json

# Beside a device that is made of the cores. Its driver may step over a division by zero, but of its kernels alone.
"$dalinfo" --architecture -o found.xml
if grep -q 'identifier="CPU_' found.xml; then
    cat >kernel.cl <<'END'
__kernel void Kernel(__global const int *in, __global int *out, int how)
{
    volatile __global int *nowhere = 0;
    volatile int zero = 0;
    if (how == 2)
        out[100 * get_group_id(0)] = 5 / zero;
    if (how == 1)
        *nowhere = 3;
    for (int i = 0; i < 100; i++)
        out[100 * get_group_id(0) + i] = in[100 * get_group_id(0) + i];
}
END
    architecture core_0 device_0 >device.xml
    mapping "* - core_0" "Kernel - device_0" >beside.xml
    sed '/name="Sink"/i <process name="Kernel" source="kernel.cl"><parameter name="how" value="0"/></process>
        s/to="Sink.in"/to="Kernel.in"/; /<.processnetwork>/i <channel from="Kernel.out" to="Sink.in" tokensize="4" tokenratein="100" tokenrateout="100"/>' \
        chain.xml >with.xml
    synthesise -o beside with.xml device.xml beside.xml
    run 0 beside/chain
    cp output expected
    run 136 beside/chain -p Faulty.how=2
    expect "chain: error: process Faulty: SIGFPE in fire, in firing 7" messages
    run 0 beside/chain -p Kernel.how=2
    cmp output expected || fail "a kernel divides by zero: other sums"
    [ ! -s messages ] || fail "a kernel divides by zero, which ends nothing" messages
    run 139 beside/chain -p Kernel.how=1
    expect "SIGSEGV in a thread of no process; in flight: process Kernel on device_0" messages
fi

# On several nodes, that of the process writes what is on it, whichever rank it is.
if find_mpi; then
    without_leaks
    {
        echo '<architecture name="two">'
        for node in near far; do
            echo "<shared name=\"$node\"/><processor name=\"$node/core\" type=\"RISC\"><capability name=\"POSIX\" identifier=\"0\"/></processor>"
        done
        echo '</architecture>'
    } >nodes.xml
    for node in near far; do # as the first rank, and as the second
        [ $node = far ] && other=near || other=far
        mapping "* - $other/core" "Faulty - $node/core" >spread.xml
        synthesise -o on-$node chain.xml nodes.xml spread.xml
        run 0 ranks 2 on-$node/chain
        for how in 1 3 6; do
            status=0
            rm -f page-$node.html stats-$node.json
            DAL_STATS=stats.json DAL_REPORT=page.html ranks 2 on-$node/chain -p Faulty.how=$how >output 2>messages || status=$?
            [ $status -ne 0 ] || fail "on $node, $how: exit status 0" messages
            grep -q "chain.*: error: process Faulty: .* in fire\|process Faulty: fire ended the program" messages ||
                fail "on $node, $how: no process" messages
            grep -q 'process Faulty: ' page-$node.html || fail "on $node, $how: no page with it" messages
            grep -q '"process": "Faulty".* "firings": 6,' stats-$node.json || fail "on $node, $how: firings" stats-$node.json
        done
    done
fi
echo "$0: all good"
