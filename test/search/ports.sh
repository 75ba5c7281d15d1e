#!/usr/bin/env bash
# A network with open ports is profiled, predicted and mapped: what is outside is always ready. The program of the mapping
# gives the bytes of one core.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
dalmap=$build/synth/dalmap

for name in A B; do
    cat >$name.c <<END
#include "dal.h"
int ${name}_fire(DALProcess *p)
{
    unsigned token;
    DAL_read(PORT_in, &token, sizeof(token), p);
    token = 3 * token + 1;
    DAL_write(PORT_out, &token, sizeof(token), p);
    return 0;
}
END
done
# network CHANNEL...: two processes between ports
network() {
    local name
    echo '<processnetwork name="pipe"><port type="input" name="in" tokentype="int"/>'
    echo '<port type="output" name="one" tokentype="int"/><port type="output" name="two" tokentype="int"/>'
    for name in A B; do
        echo "<process name=\"$name\" stateless=\"false\"><port type=\"input\" name=\"in\"/><port type=\"output\" name=\"out\"/>"
        echo "<source type=\"c\" location=\"$name.c\"/></process>"
    done
    printf '<channel %s/>\n' "$@"
    echo '</processnetwork>'
}
chain=('from="in" to="A.in"' 'from="A.out" to="B.in" tokensize="4"' 'from="A.out" to="one"' 'from="B.out" to="two"')
network "${chain[@]}" >pipe.xml
architecture core_0 core_1 core_2 >arch.xml
echo '{"A": 1000000, "B": 1000000}' >times.json
period() { # FILE: what is predicted, up to the first comma
    sed -n 's/^ *[Pp]redicted: \([^,]*\),.*/\1/p' "$1"
}
bound() { # FILE PROCESS: its processors
    sed -n "/<binding name=\"$2\">/,/<\/binding>/s/.*<processor name=\"\(.*\)\".*/\1/p" "$1"
}
# explains NETWORK MAPPING: dalsynth takes the mapping, and predicts the same
explains() {
    "$dalsynth" --check --explain --times=times.json "$1" arch.xml "$2" >out 2>log || fail "dalsynth refuses it" log
    check "$2 is predicted alike" "$([ ! -s log ] && [ -n "$(period out)" ] && [ "$(period out)" = "$(period "$2")" ]; echo $?)"
}
# pipes PROGRAM FILE: what it gives at both ports, in a pipe
pipes() {
    "$1/pipe" --in=- --one="$2.one" --two=- <numbers 2>log | cat >"$2" || fail "$1 in a pipe" log
}

# ---- times that are given: the ports take none, and hold nobody up

run 0 "$dalmap" --one-core --times=times.json -o map.xml pipe.xml arch.xml
expect "predicted: 1 ms an iteration, 1000 iterations/s; what limits it: core_" output
check "each process has a core, the ports have both" "$([ "$(bound map.xml A)" != "$(bound map.xml B)" ] && [ "$(bound map.xml in | wc -l)" -eq 2 ]; echo $?)"
explains pipe.xml map.xml
check "the way is from port to port" "$(grep -q '^an iteration, from in to two: ' out; echo $?)"
run 0 "$dalmap" --leave=2 --times=times.json -o one.xml pipe.xml arch.xml
check "both share a core" "$(period one.xml | grep -q '^2\(\.0[0-9]*\)\? ms'; echo $?)"
check "no port is on a core that is left free" "$([ "$(bound one.xml two)" = "$(bound one.xml A)" ]; echo $?)"
explains pipe.xml one.xml
run 0 "$dalmap" --objective=latency --times=times.json -o latency.xml pipe.xml arch.xml
explains pipe.xml latency.xml
mapping "in - core_2" >keep.xml
run 0 "$dalmap" --one-core --keep=keep.xml --times=times.json -o kept.xml pipe.xml arch.xml
check "a port that is bound stays" "$([ "$(bound kept.xml in)" = core_2 ]; echo $?)"
explains pipe.xml kept.xml

# ---- readers of a port that keep step, and others

network 'from="in" to="A.in" tokenrateout="2"' 'from="in" to="B.in" tokenrateout="2"' 'from="A.out" to="one"' 'from="B.out" to="two"' >both.xml
run 0 "$dalmap" --one-core --times=times.json -o both-map.xml both.xml arch.xml
expect "predicted: 1 ms an iteration" output
network 'from="in" to="A.in" tokenrateout="2"' 'from="in" to="B.in"' 'from="A.out" to="one"' 'from="B.out" to="two"' >apart.xml
run 1 "$dalmap" --times=times.json -o refused.xml apart.xml arch.xml
expect "apart.xml:1: error: [kpn-process] port 'in' of the network: what is inside takes different numbers of tokens" messages
architecture device_0 >device.xml
run 1 "$dalmap" --times=times.json -o refused.xml pipe.xml device.xml
expect "port 'in' of the network: the architecture has no core that could read or write it" messages
check "nothing is written of these" "$([ ! -e refused.xml ]; echo $?)"
mapping "* - core_0" >core.xml
"$dalsynth" --check --explain --times=times.json apart.xml arch.xml core.xml >out 2>log || fail "without a prediction" log
expect "no prediction: the times of these are not known: in (what is inside differs in its rate)" out

# ---- times that it finds, and programs that it runs

architecture core_0 core_1 >arch.xml
mkdir empty
TMPDIR=$work/empty run 0 "$dalmap" --profile=0.3 --times=own.json --run=2 --run-time=0.6 -o map.xml pipe.xml arch.xml
check "both are timed" "$(grep -q '"process": "A", "source": "A.c"' own.json && grep -q '"process": "B", "source": "B.c"' own.json; echo $?)"
check "the best are measured" "$(grep -c '; measured: ' map.xml | grep -qx '[2-4]'; echo $?)"
check "nothing is left of the runs" "$([ -z "$(ls -A empty)" ]; echo $?)"
seq 1 40000 >numbers
truncate -s 200000 numbers
synthesise -o mapped pipe.xml arch.xml map.xml
synthesise -o core --profile=0.3 --times=core.json pipe.xml arch.xml core.xml
check "dalsynth finds times, too" "$(grep -q '"process": "B", "source": "B.c"' core.json; echo $?)"
pipes mapped mapped.out
pipes core core.out
check "the same bytes on one core" "$([ "$(wc -c <core.out)" -eq 200000 ] && cmp core.out mapped.out && cmp core.out.one mapped.out.one; echo $?)"
echo "$passed checks"
