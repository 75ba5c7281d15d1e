#!/usr/bin/env bash
# Taps, replay, a process alone, and dal diff: a tapped program has the same bytes, its recordings are the same on all mappings,
# a recording stands for its process, and the first wrong token is found.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

net=$input/taps.xml
architecture core_0 core_1 >machine.xml
mapping "* - core_0" >one.xml
mapping "* - core_*" >all.xml
synthesise -o plain "$net"
run 0 plain/taps
mv output wanted

# same WHAT PROGRAM ARGUMENT...: it prints what is wanted.
same() {
    run 0 "${@:2}"
    cmp -s output wanted || fail "$1 changes the bytes" output messages
}

# ---- taps
! grep -q DAL_TAP messages || fail "a warning of taps that nobody wants" messages
DAL_TAP=rec same "a program without taps" plain/taps
expect "warning: DAL_TAP is set, but this program was made without --tap" messages
[ ! -e rec ] || fail "something is written without --tap"
synthesise -o tapped --tap='*' "$net"
same "a tap without a folder" tapped/taps
[ ! -e rec ] || fail "something is written without DAL_TAP"
DAL_TAP=rec same "a tap" tapped/taps
[ "$(find rec -name '*.json' | wc -l)" -eq 6 ] || fail "not a recording for each port"
expect '"type": "float"' rec/Gauss.out.json
for name in one all; do
    synthesise -o $name --tap='*' "$net" machine.xml $name.xml
    DAL_TAP=rec-$name same "a tap on the mapping $name" $name/taps
    diff -r rec rec-$name >differ || fail "the mapping $name records other bytes" differ
done
synthesise -o some --tap=Gauss.out --tap='M*.k*' "$net"
printf '{"recording": "own",\n "file": "../wanted",\n' >rec/own.json
echo '{"own": 1}' | tee rec/notes.raw >rec/notes.json
DAL_TAP=rec same "taps at some ports" some/taps
(cd rec && ls) >output
printf '%s\n' Gauss.out.{json,npy} Mean.kept.{json,npy} notes.{json,raw} | cmp -s output - ||
    fail "recordings of other ports, or of an earlier run, or too much is removed" output
rm rec/notes.*
DAL_TAP=rec same "a tap" tapped/taps
refuse "--tap=Gaus.out: no output port has this name; did you mean 'Gauss.out'?" --tap=Gaus.out "$net"
refuse "--tap=Gauss: no output port has this name; PROCESS.PORT is wanted" --tap=Gauss "$net"

# ---- what is no disk, and what is a full one
DAL_TAP=small DAL_TAP_BYTES=1K same "a limit" tapped/taps
expect "tap Gauss.out: small/Gauss.out.npy stops after 128 tokens (DAL_TAP_BYTES=1024)" messages
DAL_TAP=wanted run 1 tapped/taps
expect "DAL_TAP=wanted: " messages
DAL_TAP=small DAL_TAP_BYTES=x run 2 tapped/taps
expect "DAL_TAP_BYTES=x: " messages
(ulimit -f 8 && DAL_TAP=full run 1 tapped/taps && cmp -s output wanted) || fail "a full disk changes the bytes"
expect "port Gauss.out: full/Gauss.out.npy: cannot be written: " messages
[ -z "$(ls full)" ] || fail "a part of a recording looks whole"

# expect_wrong_mean: the first of its two ports that is compared ends the network.
expect_wrong_mean() {
    grep -qE "port Mean\.(out|kept): firing 77, token 77, element 0: 1016419\.9469020714 and 1016419\.9469020715 \(1 ULP\)" messages ||
        fail "the wrong mean is not told" messages
}

# ---- recordings in the place of processes, and processes alone
for process in Source Gauss Mean Pick Pack Sink; do
    if [ $process != Sink ]; then # which gives nothing
        synthesise -o replayed --replay=$process=rec "$net" machine.xml all.xml
        same "the recording of $process" replayed/taps
    fi
    synthesise -o alone --only=$process "$net" machine.xml one.xml
    DAL_RECORDING=rec run 0 alone/taps
done
synthesise -o alone --only=Mean=rec "$net"
run 1 alone/taps -p Mean.wrong=77
expect_wrong_mean
synthesise -o alone --only=Pick=rec "$net"
run 1 alone/taps -p Pick.wrong=5
expect "port Pick.out: firing 5, token 5, element 2: 450429 and 603415" messages
synthesise -o each --only=Source=rec --only=Gauss=rec --only=Mean=rec --only=Pick=rec --only=Pack=rec --only=Sink=rec "$net"
same "all processes, each alone" each/taps
run 1 each/taps -p Mean.wrong=77 # of which the others hear nothing
expect_wrong_mean
! grep '^taps: error: port' messages | grep -v 'port Mean\.' >log || fail "not that process alone" log
cp -r rec kept
synthesise -o both --replay=Gauss=rec --tap=Mean.out "$net"
for folder in rec kept/../rec; do
    DAL_TAP=$folder run 1 both/taps
    expect "DAL_TAP=$folder: the program reads its recordings from this folder" messages
done
DAL_RECORDING=kept DAL_TAP=kept run 1 both/taps
expect "DAL_TAP=kept: the program reads its recordings from this folder" messages
diff -r rec kept >differ || fail "a recording that is read is gone" differ
DAL_RECORDING=kept DAL_TAP=rec-both same "a tap beside a recording" both/taps
cmp rec/Mean.out.npy rec-both/Mean.out.npy >differ || fail "a tap beside a recording has other tokens" differ
DAL_RECORDING=none run 1 alone/taps
expect "none/Source.out.npy: No such file" messages
refuse "--replay=Gaus: there is no process 'Gaus'; did you mean 'Gauss'?" --replay=Gaus=rec "$net"
refuse "--replay=Sink: the process gives no tokens, so there is nothing to replay" --replay=Sink=rec "$net"
refuse "--replay=Gauss=none: the recording of Gauss.out is not there" --replay=Gauss=none "$net"
refuse "--only=Gauss=small: the recording of Source.out stops at a limit" --only=Gauss=small "$net"
sed 's/float\[2\]/float[1]/; s/tokenratein="1" tokenrateout="2"/tokenratein="2" tokenrateout="4"/' "$net" >other.xml
cp "$input"/*.[ch] .
refuse "--replay=Gauss=rec: the recording of Gauss.out has tokens of 8 bytes, and the channel of 4" --replay=Gauss=rec other.xml

# ---- a run that fails: its recordings have all that was sent, so the process fails alone in the same firing
cat >fail.xml <<'END'
<processnetwork name="fail">
  <process name="Count" source="count.c"/>
  <process name="Work" source="work.c"><parameter name="how" value="fail"/></process>
  <process name="Drop" source="drop.c"/>
  <channel from="Count.out" to="Work.in" type="int"/>
  <channel from="Work.out" to="Drop.in" type="int"/>
</processnetwork>
END
cat >count.c <<'END'
#include "dal.h"
struct _local_states { int next; };
int Count_fire(DALProcess *p)
{
    DAL_WRITE_TOKEN(out, &p->local->next, p);
    return p->local->next++ == 1000;
}
END
cat >work.c <<'END'
#include "dal.h"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int Work_fire(DALProcess *p)
{
    const char *how = DAL_getParameter("how", p);
    int x;
    DAL_READ_TOKEN(in, &x, p);
    if (x == 500 && *how == 'f')
        DAL_fail(p, "no more at %d", x);
    if (x == 500 && *how == 'a')
        abort();
    if (x == 500 && *how == 'e')
        exit(0);
    while (x == 500 && *how == 's' && !kill(getpid(), SIGABRT))
        pause();
    DAL_WRITE_TOKEN(out, &x, p);
    return 0;
}
END
cat >drop.c <<'END'
#include "dal.h"
int Drop_fire(DALProcess *p)
{
    int x;
    DAL_READ_TOKEN(in, &x, p);
    return 0;
}
END
synthesise -o failing --tap='*' fail.xml
synthesise -o alone --only=Work fail.xml
# fails HOW STATUS TEXT: what a run and a process alone say
fails() {
    DAL_TAP=rec-fail run "$2" failing/fail -p "Work.how=$1"
    expect "$3" messages
    # the recording of a tap that is itself ended by a signal from outside has no end, or is not there
    ! grep -q "process Count.out: SIGABRT" messages || return 0
    expect '"end": "broken"' rec-fail/Count.out.json
    DAL_RECORDING=rec-fail run "$2" alone/fail -p "Work.how=$1"
    expect "$3" messages
}
fails fail 1 "process Work: no more at 500"
fails exit 1 "process Work: fire ended the program by exit()"
if [ -z "${DAL_SANITIZER:-}" ]; then
    fails abort 134 "process Work: SIGABRT in fire, in "
    fails signal 134 "SIGABRT in "
fi

# ---- what only feeds a process that is replayed is left out: a source without end, a loop, a port of the network
cat >feed.xml <<'END'
<processnetwork name="feed">
  <port type="input" name="more" tokentype="int"/>
  <process name="Ping" source="ping.c"><parameter name="last" value="0"/></process>
  <process name="Pong" source="ping.c"><parameter name="last" value="0"/></process>
  <process name="Side" source="ping.c"><parameter name="last" value="500"/></process>
  <process name="Sum" source="sum.c"/>
  <process name="Print" source="print.c"><parameter name="as" value="Print"/></process>
  <process name="Beside" source="print.c"><parameter name="as" value="Beside"/></process>
  <channel from="Ping.out" to="Pong.in" type="int"/>
  <channel from="Pong.out" to="Ping.in" type="int" initialtokens="1"/>
  <channel from="Ping.out" to="Sum.in" type="int"/>
  <channel from="Side.out" to="Side.in" type="int" initialtokens="1"/>
  <channel from="Side.out" to="Sum.side" type="int"/>
  <channel from="Side.out" to="Beside.in" type="int"/>
  <channel from="more" to="Sum.more" tokenrateout="1"/>
  <channel from="Sum.out" to="Print.in" type="int"/>
</processnetwork>
END
cat >ping.c <<'END'
#include "dal.h"
int ping_fire(DALProcess *p)
{
    long last = 0;
    int x;
    DAL_getParameterInt("last", &last, p);
    DAL_READ_TOKEN(in, &x, p);
    x++;
    DAL_WRITE_TOKEN(out, &x, p);
    return x == last;
}
END
cat >sum.c <<'END'
#include "dal.h"
int sum_fire(DALProcess *p)
{
    int x, side, more;
    DAL_READ_TOKEN(in, &x, p);
    DAL_READ_TOKEN(side, &side, p);
    DAL_READ_TOKEN(more, &more, p);
    x += side + more;
    DAL_WRITE_TOKEN(out, &x, p);
    return 0;
}
END
cat >print.c <<'END'
#include "dal.h"
int print_fire(DALProcess *p)
{
    int x;
    DAL_READ_TOKEN(in, &x, p);
    DAL_printf("%s %d\n", DAL_getParameter("as", p), x);
    return 0;
}
END
head -c 1600 /dev/zero >more.raw
synthesise -o feeding --tap=Sum.out feed.xml
DAL_TAP=rec-feed run 0 feeding/feed --more=more.raw -p Ping.last=601
LC_ALL=C sort output >printed
mapping "* - core_*" "P*ng - core_0" "more - core_0" >feed-map.xml
synthesise -o fed --replay=Sum=rec-feed feed.xml machine.xml feed-map.xml
! grep -nE '"(Ping|Pong|more|Sum)"' fed/net.c >log || fail "what only feeds a recording is there" log
run 0 timeout 60 fed/feed
LC_ALL=C sort output | grep Print | cmp -s <(grep Print printed) - || fail "a recording of what is fed has other bytes" output
[ "$(grep -c Beside output)" = 500 ] || fail "what feeds others, too, has ended early" output
synthesise -o ring --replay=Ping feed.xml
grep -q '"Pong"' ring/net.c || fail "what reads a recording is gone"

# ---- the firing of a cyclo-static process is that of fire's calls, and of older recordings the cycle
cat >phases.xml <<'END'
<processnetwork name="phases">
  <process name="Three" source="three.c"><parameter name="wrong" value="-1"/></process>
  <process name="Beside" source="print.c"><parameter name="as" value="Beside"/></process>
  <channel from="Three.out" to="Beside.in" type="int" tokenratein="1,0,3"/>
</processnetwork>
END
cat >three.c <<'END'
#include "dal.h"
struct _local_states {
    int next;
};
int three_fire(DALProcess *p)
{
    long wrong = -1;
    int x[TOKEN_out_RATE_MAX], i;
    DAL_getParameterInt("wrong", &wrong, p);
    for (i = 0; i < TOKEN_out_RATE; i++, p->local->next++)
        x[i] = p->local->next == wrong ? -1 : p->local->next;
    if (TOKEN_out_RATE)
        DAL_write(PORT_out, x, (int)sizeof(int) * TOKEN_out_RATE, p);
    return p->local->next >= 40;
}
END
dal=$build/tools/dal
synthesise -o phased --tap='*' phases.xml
DAL_TAP=rec-phases run 0 phased/phases
synthesise -o alone-phases --only=Three=rec-phases phases.xml
expect '"rates": [1, 0, 3],' rec-phases/Three.out.json
run 0 alone-phases/phases
while read -r token firing; do
    DAL_TAP=rec-wrong run 0 phased/phases -p Three.wrong="$token"
    run 1 "$dal" diff rec-phases rec-wrong
    expect "Three.out: firing $firing, token $token, element 0 (int): $token and -1" output
    run 1 alone-phases/phases -p Three.wrong="$token"
    expect "port Three.out: firing $firing, token $token, element 0: -1 and $token, here" messages
done <<'END'
0 0
1 2
4 3
5 5
7 5
8 6
END
sed -i '/"rates"/d' rec-{phases,wrong}/Three.out.json
run 1 "$dal" diff rec-phases rec-wrong
expect "Three.out: firing 2, token 8," output

# ---- dal diff: a wrong bit in one firing, also in a ring of channels and in a copy, is found upstream first
run 0 "$dal" diff rec rec-all
[ ! -s output ] || fail "it prints something of recordings that are the same" output
run 0 "$dal" diff rec small
expect "small: note: [tap] the recording of Gauss.out is full after 128 tokens; 3872 in rec are not compared" messages
cp -r rec short
echo '{"a": 1}' >short/notes.json
run 0 "$dal" diff rec short
truncate -s -1 short/Gauss.out.npy
run 2 "$dal" diff rec short
expect "short/Gauss.out.npy: error: [tap] it ends before its last token" messages
RANDOM=7
for ((i = 0; i < 30; i++)); do
    set -- Source 2000 Gauss 4000 Mean 2000 Pick 1000 Pack 1900
    shift $((i % 5 * 2))
    at=$((RANDOM % $2))
    DAL_TAP=wrong run 0 all/taps -p "$1.wrong=$at"
    run 1 "$dal" diff rec wrong
    place="firing $at, "
    [ "$1" != Pack ] || place=''
    port=$1.out
    [ "$1" != Mean ] || port=Mean.kept
    head -n 1 output | grep -q "^$port: ${place}token " || fail "$1 is wrong in firing $at" output
done
DAL_TAP=wrong run 0 all/taps -p Gauss.wrong=100
run 1 "$dal" diff rec wrong
expect "Gauss.out: firing 100, token 100, element 1 (float): 33678.8555 and 33678.8516 (1 ULP)" output
DAL_TAP=wrong run 0 all/taps -p Source.wrong=100
run 1 "$dal" diff rec wrong
expect "  then Gauss.out: firing 200, token 200, element 0 (float): " output
DAL_TAP=wrong run 0 all/taps -p Source.rows=1000
run 1 "$dal" diff rec wrong
expect "Source.out: firing 1000, 8000 and 4000 tokens" output
DAL_TAP=rec-some run 0 some/taps
run 1 "$dal" diff rec rec-some
expect "Source.out: only in rec" output
run 2 "$dal" diff rec none
expect "none: " messages
mkdir none
run 2 "$dal" diff rec none
expect "it has no recordings" messages
echo "$((i)) wrong tokens found"

# ---- dal diff --maps: two mappings of a network, of which nothing is left
# maps STATUS ARGUMENT...: one.xml beside what is named
maps() {
    mkdir -p temporary
    TMPDIR=$PWD/temporary run "$1" "$dal" diff --maps=one.xml "${@:2}"
    [ -z "$(ls temporary)" ] || fail "something is left" messages
}
maps 0 all.xml "$net" machine.xml -- -p Source.rows=100
[ ! -s output ] || fail "it prints something of mappings that are the same" output
sed -i 's/int Source_fire.*/#include <unistd.h>\n&/; s/DAL_write(/four[1] += getpid();\n    &/' source.c
grep -q 'four\[1\] += getpid' source.c || fail "the source is not planted" source.c
cp "$net" here.xml
maps 1 all.xml here.xml -- -p Source.rows=100
grep -q '^Source.out: firing 0, token 1, element' output || fail "the first token is another" output
expect '  then Gauss.out: firing 0' output
maps 2 all.xml here.xml machine.xml -- -p Source.rows=x
expect "ended with exit status 1" messages
maps 2 none.xml here.xml machine.xml
expect "none.xml: " messages
maps 2 all.xml
run 2 "$dal" diff rec rec -D rows=1
expect "two folders are wanted that DAL_TAP has named" messages
run 2 "$dal" diff --run-time=1 rec rec
expect "--run-time=SECONDS wants --maps=MAPPING.xml" messages

# ---- several nodes: each writes and reads what belongs to its processes
cat >nodes.xml <<'END'
<architecture name="machine">
  <shared name="node_0"/><processor name="node_0/core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>
  <shared name="node_1"/><processor name="node_1/core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>
</architecture>
END
mapping "* - node_0/core_0" "Mean - node_1/core_0" "Pick - node_1/core_0" >nodes-map.xml
if find_mpi; then
    without_leaks
    on_nodes() { # WHAT OPTION...: a program of two ranks prints what is wanted
        synthesise -o nodes "${@:2}" "$net" nodes.xml nodes-map.xml
        DAL_TAP=rec-nodes run 0 ranks 2 nodes/taps
        cmp -s output wanted || fail "on two nodes, $1: other bytes" output messages
    }
    on_nodes "taps" --tap='*'
    diff -r rec rec-nodes >differ || fail "two nodes record other bytes" differ
    on_nodes "a replay" --replay=Gauss=rec --replay=Pick=rec
    on_nodes "each alone" --only=Mean=rec --only=Gauss=rec --only=Sink=rec
    run 1 ranks 2 nodes/taps -p Mean.wrong=77
    expect_wrong_mean
    mapping "* - node_0/core_0" "Work - node_1/core_0" >nodes-map.xml
    synthesise -o nodes --tap='*' fail.xml nodes.xml nodes-map.xml
    DAL_TAP=rec-fail run 1 ranks 2 nodes/fail
    expect '"end": "broken"' rec-fail/Count.out.json
    expect '"end": "broken"' rec-fail/Work.out.json
    DAL_RECORDING=rec-fail run 1 alone/fail
    expect "process Work: no more at 500" messages
fi

# ---- in a library: what is recorded in a program of somebody else, with a constant
cat >scale.xml <<'END'
<processnetwork name="scale">
  <port type="input" name="in" tokentype="float"/>
  <port type="output" name="out" tokentype="float"/>
  <process name="Scale" source="scale.c"><constant name="by" value="float: 2 3"/></process>
  <channel from="in" to="Scale.in"/>
  <channel from="Scale.out" to="out"/>
</processnetwork>
END
cat >scale.c <<'END'
#include "dal.h"
int Scale_fire(DALProcess *p)
{
    float x;
    DAL_READ_TOKEN(in, &x, p);
    x *= DAL_CONSTANT(by, p)[1];
    DAL_WRITE_TOKEN(out, &x, p);
    return 0;
}
END
cat >main.c <<'END'
#include "scale.h"
#include <stdio.h>
int main(void)
{
    struct dal_run *run;
    float x[4] = {0, 1, 2, 3}, y[4] = {0};
    if (scale_open(&run, NULL) < 0)
        return puts(dal_run_message(NULL)), 1;
    scale_write_in(run, x, 4, DAL_FOREVER);
    scale_end_in(run);
    scale_read_out(run, y, 4, DAL_FOREVER);
    printf("%g %g\n", y[1], y[3]);
    return dal_run_close(run) < 0;
}
END
synthesise --library --tap='*' -o scale scale.xml
read -ra flags < <(PKG_CONFIG_PATH=$build pkg-config --cflags --libs dal-uninstalled)
${CC:-cc} ${DAL_SANITIZER:-} -Iscale -o main main.c scale/libscale.so "${flags[@]}" -Wl,-rpath,"$PWD/scale:$build/rt/.libs" >log 2>&1 || fail "the program is not linked" log
DAL_TAP=rec-scale run 0 ./main
[ "$(cat output)" = "3 9" ] || fail "other numbers" output
expect '"tokens": 4' rec-scale/Scale.out.json

# ---- a port of a network names the port of the process whose tokens it has
for name in outer deep; do
    cat >$name.xml <<END
<processnetwork name="$name">
  <port type="input" name="samples" tokentype="float"/>
  <port type="output" name="mixed" tokentype="float"/>
  <network name="Eq[0]" source="$([ $name = outer ] && echo scale || echo outer).xml"/>
  <channel from="samples" to="Eq[0].$([ $name = outer ] && echo in || echo samples)"/>
  <channel from="Eq[0].$([ $name = outer ] && echo out || echo mixed)" to="mixed"/>
</processnetwork>
END
done
head -c 16 /dev/zero >zeros.raw
for name in mixed Eq_0.mixed Eq_0.Eq_0.out; do
    synthesise -o named --tap=$name deep.xml
    DAL_TAP=rec-$name run 0 named/deep --samples=zeros.raw --mixed=written.raw
    (cd "rec-$name" && ls) >output
    printf 'Eq_0.Eq_0.Scale.out.%s\n' json npy | cmp -s output - || fail "--tap=$name records another port" output
done
synthesise -o named --tap=mixed --tap=Eq_0.Eq_0.Scale.out deep.xml # which are one tap
refuse "--tap=samples: it is an input port; its tokens are those of samples.out" --tap=samples deep.xml
refuse "--tap=Eq_0.Eq_0.in: it is an input port; its tokens are those of samples.out" --tap=Eq_0.Eq_0.in deep.xml
refuse "--tap=Eq_0.mix: no output port has this name" --tap=Eq_0.mix deep.xml
