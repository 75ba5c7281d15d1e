#!/usr/bin/env bash
# Groups on a device: a tree of kernels with several rates, work-items and readers is one launch, with the bytes
# that it has without groups, also where it ends early; who stays apart, and why; what forbids a group.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

"$dalinfo" --architecture -o machine.xml
has_device machine.xml || fail "no OpenCL device"
architecture core device >architecture.xml

# same_without_groups WHAT TEXT PROGRAM ARGUMENT...: with its groups, which the statistics name by this text, a
# program gives the bytes that it gives without them
same_without_groups() {
    local what=$1 text=$2
    shift 2
    run 0 env DAL_GROUPS=0 "$@"
    mv output expected
    [ -s expected ] || fail 'nothing has come out'
    DAL_STATS=1 run 0 "$@"
    cmp output expected || fail "$what, ${*:2}: other bytes"
    expect "$text" messages
}

cat >source.c <<'END_C'
#include <dal.h>
#include <stdlib.h>
struct _local_states { int next; };
int Source_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->next, 4, p);
    return ++p->local->next == atoi(DAL_getParameter("tokens", p));
}
END_C
cat >sink.c <<'END_C'
#include <dal.h>
#include <stdlib.h>
struct _local_states { int next; };
int Sink_fire(DALProcess *p)
{
    int a, b[4];
    DAL_read(PORT_in, &a, 4, p);
    DAL_read(PORT_also, b, 16, p);
    DAL_printf("%d %d %d %d %d\n", a, b[0], b[1], b[2], b[3]);
    return ++p->local->next == atoi(DAL_getParameter("most", p));
}
END_C
# One token makes four: Spread, with a helper of a name that others have, too.
cat >spread.cl <<'END_CL'
typedef int word;
static word add(word x, word y) { return x + 10 * y; }
__kernel void Spread(__global const word *in, __global word *out)
{
    __local word box[4];
    size_t g = get_group_id(0);
    if (get_local_id(0) < 4)
        box[get_local_id(0)] = add(in[g], get_local_id(0));
    if (get_local_id(0) < sizeof(box) / sizeof(box[0]))
        out[4 * g + 3 - get_local_id(0)] = box[get_local_id(0)];
}
END_CL
# Each of the four: no barrier, fewer work-items.
cat >each.cl <<'END_CL'
typedef float word;
static int add(int x) { return x + 1; }
__kernel void Each(__global const int *in, __global int *out)
{
    size_t i = get_global_id(0) / get_local_size(0);
    if (get_local_id(0) == 0)
        out[i] = add(in[i]) * (int)get_local_size(0);
}
END_CL
# Two inputs, as many tokens of each as one firing of Spread makes.
cat >join.cl <<'END_CL'
__kernel void Join(__global int *out, __global const int *a, __global const int *b)
{
    size_t g = get_group_id(0);
    int i;
    __local int sum[8];
    sum[get_local_id(0)] = 0;
    for (i = 0; i < 4 && get_local_id(0) == 0; i++)
        sum[0] += a[4 * g + i] - 2 * b[4 * g + i];
    if (get_local_id(0) == 0)
        out[g] = sum[0];
}
END_CL

process() { # NAME SOURCE PORTS [ITEMS]
    local port
    echo "<process name=\"$1\">"
    for port in $3; do
        echo "<port type=\"$([[ $port == out* ]] && echo output || echo input)\" name=\"$port\"/>"
    done
    echo "<source type=\"$([[ $2 == *.c ]] && echo c || echo opencl)\" location=\"$2\" ${4:+dataparallelism=\"$4\"}/>"
    [[ $1 != Source ]] || echo '<parameter name="tokens" value="1000"/>'
    [[ $1 != Sink ]] || echo '<parameter name="most" value="0"/>'
    echo '</process>'
}

# Source --> Spread --> Each (4 times) --> Join --> Sink; the Sink and Join read what Spread makes, too.
{
    echo '<processnetwork name="tree">'
    process Source source.c out
    process Spread spread.cl 'in out' 8
    process Each each.cl 'in out' 4
    process Join join.cl 'a b out' 8
    process Sink sink.c 'in also'
    channel c1 Source out Spread in
    channel c2 Spread out Each in 'tokenratein="4"'
    channel c3 Spread out Join b 'tokenratein="4" tokenrateout="4"'
    channel c4 Spread out Sink also 'tokenratein="4" tokenrateout="4"'
    channel c5 Each out Join a 'tokenrateout="4"'
    channel c6 Join out Sink in
    echo '</processnetwork>'
} >network.xml

mapping '* - device group="yes"' 'Source - core' 'Sink - core' >mapping.xml
run 0 "$dalsynth" --check --explain network.xml architecture.xml mapping.xml
expect 'launched as one on device: Spread, Each x 4, Join; I = 8' output
expect 'Spread -> Each    device' output
expect 'Each -> Join      group' output
synthesise -o grouped network.xml architecture.xml mapping.xml

mapping '* - device group="no"' 'Source - core' 'Sink - core' >mapping.xml
run 0 "$dalsynth" --check --explain network.xml architecture.xml mapping.xml
expect 'Each is not launched with what it reads from: the mapping keeps Spread apart (mapping.xml:2)' output
mapping '* - device' 'Source - core' 'Sink - core' >mapping.xml
run 0 "$dalsynth" --check --explain network.xml architecture.xml mapping.xml
expect 'Each is not launched with what it reads from: Spread has 8 work-items, and the mapping does not ask for a group' output
mapping '* - device group="no"' 'Source - core' 'Sink - core' >mapping.xml
synthesise -o apart network.xml architecture.xml mapping.xml

# ---- the same bytes ------------------------------------------------------------------------------

for arguments in '' '-p Source.tokens=1' '-p Sink.most=7' '-p Source.tokens=100000 -p Sink.most=3'; do
    # shellcheck disable=SC2086 # several arguments
    run 0 apart/tree $arguments
    mv output expected
    [ -s expected ] || fail 'nothing has come out'
    # shellcheck disable=SC2086
    run 0 grouped/tree $arguments
    cmp output expected || fail "with groups, $arguments: other bytes"
    # shellcheck disable=SC2086
    run 0 env DAL_GROUPS=0 grouped/tree $arguments
    cmp output expected || fail "with groups that are not made, $arguments: other bytes"
done
DAL_STATS=1 run 0 grouped/tree
expect 'Spread to Join, 3 processes, 1000 rounds in' messages
awk '$1 == "Each" { each = $2 } $1 == "Join" { join = $2 } END { exit each != 4000 || join != 1000 }' messages ||
    fail 'firings of a group are counted wrong' messages
DAL_TRACE=trace.json run 0 grouped/tree
expect '"Spread_to_Join"' trace.json

# A stop: what has been sent arrives, in whole tokens, as many as a run without groups would have.
start grouped/tree -p Source.tokens=100000000
until_so [ -s output ]
kill -INT $running
ended
[ $status = 0 ] || fail 'a stopped program fails' messages
mv output stopped
lines=$(wc -l <stopped)
[ "$lines" -gt 0 ] || fail 'nothing has come out before the stop' messages
[ "$lines" -lt 100000000 ] || fail 'a stop has stopped nothing' messages
run 0 apart/tree -p Source.tokens="$((lines < 20000 ? lines : 20000))"
head -n "$(wc -l <output)" stopped | cmp - output || fail 'other bytes before a stop'

# ---- in a simulator, which finds races and what is beyond a window -------------------------------

if simulator vendors; then
    run 0 apart/tree -p Source.tokens=6
    mv output expected
    OCL_ICD_VENDORS=$work/vendors OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1 OCLGRIND_LOG=$work/findings \
        DAL_STATS=1 run 0 grouped/tree -p Source.tokens=6
    expect 'Spread to Join, 3 processes, 6 rounds in' messages
    cmp output expected || fail "in the simulator: other bytes"
    [ ! -s findings ] || fail "the simulator has found something" findings
fi

# ---- who stays apart -----------------------------------------------------------------------------

# apart WHY SED: with the network changed so, Join is no longer in the group
apart() {
    sed "$2" network.xml >changed.xml
    cmp -s network.xml changed.xml && fail "'$2' changes nothing"
    mapping '* - device group="yes"' 'Source - core' 'Sink - core' >mapping.xml
    run 0 "$dalsynth" --check --explain changed.xml architecture.xml mapping.xml
    expect "$1" output
}
apart 'Join is not launched with what it reads from: all that it reads has initial tokens, and what is left of them' \
    's/channel name="c[35]"/& initialtokens="4"/'
apart 'Join is not launched with what it reads from: one firing of Spread does not make whole firings of it' \
    '/channel name="c[35]"/s/tokenrateout="4"/tokenrateout="8"/; /channel name="c6"/s/tokensize/tokenratein="2" &/'

apart 'Each is not launched with what it reads from: Spread has its work-items in other dimensions' \
    's/dataparallelism="4"/dataparallelism="2x2"/'

mapping '* - device group="yes"' 'Source - core' 'Sink - core' >mapping.xml
sed 's/channel name="c[35]"/& initialtokens="4"/' network.xml >changed.xml
run 0 "$dalsynth" --check --explain changed.xml architecture.xml mapping.xml
expect "warning: [not-grouped] process 'Join' is launched by itself: all that it reads has initial tokens" messages
mapping '* - device' 'Source - core' 'Sink - core' >mapping.xml
sed -e 's/channel name="c5"/& initialtokens="4"/' -e 's/dataparallelism="[0-9]*"//' network.xml >changed.xml
run 0 "$dalsynth" --check --explain changed.xml architecture.xml mapping.xml
expect 'Join is not launched with what it reads from: channel c5 has initial tokens, and the mapping does not ask for a group' output
mapping '* - device group="yes"' 'Source - core' 'Sink - core' >mapping.xml

# ---- kernels that wait ----------------------------------------------------------------------------

mkdir loops
cp ./*.c ./*.cl network.xml loops
# Join adds up with barriers, in a loop of its own. Each fires four times, waits, and takes parameters. A work-group does
# one round.
cat >join.cl <<'END_CL'
static int of(__local const int *x, size_t i) { return x[i]; }
__kernel void Join(__global int *out, __global const int *a, __global const int *b)
{
    size_t g = get_group_id(0), me = get_local_id(0), left;
    __local int sum[8];
    sum[me] = me < 4 ? a[4 * g + me] - 2 * b[4 * g + me] : 0;
    for (left = 4; left > 0; left /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < left)
            sum[me] += of(sum, me + left);
    }
    if (me == 0)
        out[g] = sum[0];
}
END_CL
cat >each.cl <<'END_CL'
__kernel void Each(__global const int *in, int factor, __global int *out, float share)
{
    __local int last;
    if (get_local_id(0) == get_local_size(0) - 1)
        last = (in[get_group_id(0)] + 1) * factor * (int)(share * 4);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = last;
}
END_CL
sed -e '/name="Each"/,/process>/s/dataparallelism="4"/dataparallelism="8"/' \
    -e 's|location="each.cl".*|&<parameter name="share" value="0.5"/><parameter name="factor" value="2"/>|' \
    network.xml >waiting.xml
run 0 apart/tree
mv output expected
run 0 "$dalsynth" --check --explain waiting.xml architecture.xml mapping.xml
expect 'launched as one on device: Spread, Each x 4, Join; I = 8' output
expect 'which does one round, since work-items wait for each other' output
synthesise -o waiting waiting.xml architecture.xml mapping.xml
for _ in 1 2 3 4 5; do # threads that share local memory differ now and then
    DAL_STATS=1 run 0 waiting/tree
    expect 'Spread to Join, 3 processes, 1000 rounds in' messages
    cmp output expected || fail "kernels that wait: other bytes"
done
run 0 waiting/tree -p Source.tokens=100000 -p Sink.most=3
run 0 env DAL_GROUPS=0 waiting/tree
cmp output expected || fail "kernels that wait, by themselves: other bytes"
run 0 env DAL_GROUPS=0 waiting/tree -p Each.factor=-3 -p Each.share=0.25
cmp -s output expected && fail "parameters change nothing"
mv output expected
run 0 waiting/tree -p Each.factor=-3 -p Each.share=0.25
cmp output expected || fail "kernels with parameters: other bytes"
run 2 waiting/tree -p Each.factor=some

# More firings than are written out.
sed -e 's/tokenrateout="4"/tokenrateout="16"/' -e '/channel name="c[2345]"/s/tokenratein="4"/tokenratein="16"/' waiting.xml >many.xml
run 0 "$dalsynth" --check --explain many.xml architecture.xml mapping.xml
expect 'Each is not launched with what it reads from: it fires 16 times for each firing of Spread, and its work-items wait for each other' output

# A group for which there is not memory enough has fewer rounds.
sed '/channel name="c5"/s/tokensize="4"/tokensize="100000"/' waiting.xml >large.xml
run 0 "$dalsynth" --check --explain large.xml architecture.xml mapping.xml
expect 'up to 41 rounds a launch (with a work-group each, 16777216 bytes are enough for no more)' output

if simulator vendors; then
    run 0 apart/tree -p Source.tokens=6
    mv output expected
    OCL_ICD_VENDORS=$work/vendors OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1 OCLGRIND_LOG=$work/findings \
        run 0 waiting/tree -p Source.tokens=6
    cmp output expected || fail "kernels that wait, in the simulator: other bytes"
    [ ! -s findings ] || fail "the simulator has found something" findings
fi

# ---- tokens that are kept from round to round --------------------------------------------------------

# Sum reads what it has made before (2 tokens), and what Twice has made of that (3); Twice fires twice a round and reads
# what Sum has made, now and 3 tokens ago. One work-group does all rounds.
cat >sum.cl <<'END_CL'
__kernel void Sum(__global const int *in, __global const int *old, __global const int *back, __global int *out)
{
    size_t g = get_group_id(0);
    out[2 * g] = in[g] + 3 * old[2 * g + 1] - back[2 * g];
    out[2 * g + 1] = old[2 * g] ^ back[2 * g + 1];
}
END_CL
cat >twice.cl <<'END_CL'
__kernel void Twice(__global const int *late, __global const int *in, int gain, __global int *out)
{
    size_t g = get_group_id(0);
    out[g] = gain * in[g] + 7 * late[g];
}
END_CL
sed -e 's/PORT_in, &a, 4/PORT_in, b + 2, 8/' -e 's/PORT_also, b, 16/PORT_also, b, 8/' -e 's/int a, b/int a = 0, b/' \
    sink.c >pairs.c
{
    echo '<processnetwork name="echo">'
    process Source source.c out
    process Sum sum.cl 'in old back out'
    process Twice twice.cl 'in late out' | sed 's|</process>|<parameter name="gain" value="5"/>&|'
    process Sink pairs.c 'in also'
    channel enter Source out Sum in
    channel own Sum out Sum old 'tokenratein="2" tokenrateout="2" initialtokens="2" value="0100000009000000"'
    channel late Sum out Twice late 'tokenratein="2" initialtokens="3" value="020000000100000009000000"'
    channel now Sum out Twice in 'tokenratein="2"'
    channel show Sum out Sink also 'tokenratein="2" tokenrateout="2"'
    channel back Twice out Sum back 'tokenrateout="2" initialtokens="3" value="05000000"'
    channel leave Twice out Sink in 'tokenrateout="2"'
    echo '</processnetwork>'
} >echo.xml
mapping '* - device' 'Source - core' 'Sink - core' >mapping.xml
run 0 "$dalsynth" --check --explain echo.xml architecture.xml mapping.xml
expect 'Twice is not launched with what it reads from: channel late has initial tokens, and the mapping does not ask for a group' output
mapping '* - device group="yes"' 'Source - core' 'Sink - core' >mapping.xml
run 0 "$dalsynth" --check --explain echo.xml architecture.xml mapping.xml
expect 'launched as one on device: Sum, Twice x 2; I = 1' output
expect 'one work-group does all rounds in order, as channels keep tokens' output
synthesise -o echo echo.xml architecture.xml mapping.xml
for arguments in '' '-p Source.tokens=1' '-p Source.tokens=17 -p Twice.gain=-2' '-p Source.tokens=100000 -p Sink.most=30'; do
    # shellcheck disable=SC2086 # several arguments
    same_without_groups 'tokens that are kept' 'Sum to Twice, 2 processes' echo/echo $arguments
done

# What comes back must be enough for a round.
sed '/channel name="late"/s/initialtokens="3" value="[0-9]*"//; /channel name="back"/s/initialtokens="3"/initialtokens="2"/' \
    echo.xml >enough.xml
run 0 "$dalsynth" --check --explain enough.xml architecture.xml mapping.xml
expect 'launched as one on device: Sum, Twice x 2; I = 1' output

# One that waits cannot be where rounds are in order and work-items several.
sed 's/channel name="c5"/& initialtokens="5"/' waiting.xml >changed.xml
run 0 "$dalsynth" --check --explain changed.xml architecture.xml mapping.xml
expect 'work-items of Each wait for each other, which not every driver does right in a loop' output

if simulator vendors; then
    run 0 env DAL_GROUPS=0 echo/echo -p Source.tokens=40
    mv output expected
    OCL_ICD_VENDORS=$work/vendors OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1 OCLGRIND_LOG=$work/findings \
        DAL_STATS=1 run 0 echo/echo -p Source.tokens=40
    cmp output expected || fail "tokens that are kept, in the simulator: other bytes"
    expect 'Sum to Twice, 2 processes, 40 rounds in' messages
    [ ! -s findings ] || fail "the simulator has found something" findings
fi

# ---- beside what has its room elsewhere, or no whole cycle of tokens -----------------------------

# Sum adds up in three numbers that it changes in place; Left and Right are fired phase by phase. Neither keeps a group from
# making rounds, and nothing of it is tried again and again.
cp "$source"/test/phases/input/{left,right}.c .
for name in Once Twice; do
    echo "__kernel void $name(__global const int *in, __global int *out) { out[get_group_id(0)] = 2 * in[get_group_id(0)] + 1; }" >$name.cl
done
cat >add.c <<'END_C'
#include <dal.h>
int Sum_fire(DALProcess *p)
{
    const int *before = DAL_READ_TOKENS(int, before, 1, p);
    const int *in = DAL_READ_TOKENS(int, in, 1, p);
    int *after = DAL_WRITE_TOKENS(int, after, 1, 1, 0, p);
    *after = *before + *in;
    DAL_printf("%d\n", *after);
    DAL_write_end(PORT_after, after, p);
    DAL_read_end(PORT_in, in, p);
    DAL_read_end(PORT_before, before, p);
    return 0;
}
END_C
echo '#include <dal.h>
int Shown_fire(DALProcess *p) { int x; DAL_read(PORT_in, &x, 4, p); DAL_printf("%d\n", x); return 0; }' >shown.c
cat >beside.xml <<'END_XML'
<processnetwork name="beside">
  <process name="Source" source="source.c"><parameter name="tokens" value="1000"/></process>
  <process name="Once" source="Once.cl"/> <process name="Twice" source="Twice.cl"/> <process name="Sum" source="add.c"/>
  <channel from="Source.out" to="Once.in" type="int"/>
  <channel from="Once.out" to="Twice.in" type="int"/>
  <channel from="Twice.out" to="Sum.in" type="int"/>
  <channel from="Sum.after" to="Sum.before" type="int" initialtokens="3" inplace="true"/>
</processnetwork>
END_XML
{
    head -n 6 beside.xml
    echo '<process name="Left" source="left.c"/> <process name="Right" source="right.c" cflags="-DPLAIN"/>
  <process name="Shown" source="shown.c"/>
  <channel from="Source.out" to="Left.in" type="int"/>
  <channel from="Left.forth" to="Right.in" type="int" tokenratein="2,1" tokenrateout="1,2"/>
  <channel from="Right.out" to="Left.back" type="int" tokenratein="2,1" tokenrateout="1,2" initialtokens="1"/>
  <channel from="Left.out" to="Shown.in" type="int" tokenratein="0,1"/>'
    tail -n 2 beside.xml
} >loop.xml
mapping '[OT]* - device' '[SLR]* - core' >mapping.xml
for network in beside loop; do
    (ulimit -t 60 && run 0 "$dalsynth" --check --explain $network.xml architecture.xml mapping.xml) || exit 1
    expect 'launched as one on device: Once, Twice;' output
done
synthesise -o beside beside.xml architecture.xml mapping.xml
same_without_groups 'beside state in place' 'Once to Twice, 2 processes' beside/beside

# Names of a source are macros in a group. An overloaded one would hide others, and one of a component would change that.
twice() { # REASON FUNCTION
    printf '%s\n%s\n' "$2" '__kernel void Twice(__global const int *in, __global int *out) {
int2 v = in[get_group_id(0)]; out[get_group_id(0)] = min(v.x, v.y); }' >Twice.cl
    run 0 "$dalsynth" --check --explain beside.xml architecture.xml mapping.xml
    expect "Twice is not launched with what it reads from: $1" output
}
twice 'its source overloads a function' \
    'static int __attribute__((overloadable)) min(int a, uint b) { return a < (int)b ? a : (int)b; }'
twice 'their sources do not make one kernel (Twice.cl:3: a component of a vector has a name that the source declares)' \
    'static int x(int a) { return a; }'

# All sources of a group are one text, so a pragma must not reach those behind.
for pragma in 'pack(1)' 'clang fp reassociate(on)' 'pack(push, 1)' 'float_control(precise, off)'; do
    twice "its source has '#pragma $pragma', which would hold for the sources behind it" "#pragma $pragma"
done
twice "its source has '#pragma clang fp contract(fast)', which would" '_Pragma("clang fp contract(fast)")'
printf '#pragma OPENCL EXTENSION all : disable\n#pragma pack(push, 1)\nstruct one { int x; };\n#pragma  pack( pop )\n' | cat - Twice.cl >packed.cl
sed -n '/struct one\|pragma/p; /__kernel/,$p' packed.cl | grep -v _Pragma >Twice.cl
run 0 "$dalsynth" --check --explain beside.xml architecture.xml mapping.xml
expect 'launched as one on device: Once, Twice;' output

# ---- dealt to two devices ----------------------------------------------------------------------------

two=$(two_devices)
if [ "$two" ]; then
    export POCL_DEVICES=$two
    "$dalinfo" --architecture -o two.xml
    dealt=('Source - core_0' 'Sink - core_0')
    mapping '* - device_* group="yes" shadowcopies="20"' "${dealt[@]}" >mapping.xml
    run 0 "$dalsynth" --check --explain waiting.xml two.xml mapping.xml
    expect 'launched as one on device_0,device_1: Spread, Each x 4, Join; I = 8, up to 5 rounds a launch' output
    expect 'Each -> Join      group' output
    expect 'both ends in one group on 2 devices: a work-group keeps the tokens' output
    for network in loops/network.xml waiting.xml; do
        synthesise -o dealt $network two.xml mapping.xml
        for arguments in '' '-p Source.tokens=1' '-p Sink.most=7' '-p Source.tokens=100000 -p Sink.most=30'; do
            # shellcheck disable=SC2086 # several arguments
            same_without_groups "dealt groups of $network" 'Spread to Join, 3 processes' dealt/tree $arguments
        done
        run 0 env DAL_STATS=1 dealt/tree
        # both devices have rounds, as fast as they are, and Each fires four times in one
        awk '$1 ~ /^[A-Z]/ { name = $1 } name == "Each" && $1 == "device_0" { a = $2 } name == "Each" && $1 == "device_1" { b = $2 }
            END { exit !(a > 0 && b > 0 && a + b == 4000 && a % 4 == 0) }' messages || fail "the rounds of $network are not dealt" messages
    done

    # A neighbour on the same devices takes its tokens where they are, if a launch of it has as many.
    mapping '* - device_* group="yes"' 'Join - device_* group="no"' "${dealt[@]}" >mapping.xml
    run 0 "$dalsynth" --check --explain loops/network.xml two.xml mapping.xml
    expect 'launched as one on device_0,device_1: Spread, Each x 4; I = 8' output
    expect '(by the S of its processes)' output
    expect 'Each -> Join      device' output
    synthesise -o dealt loops/network.xml two.xml mapping.xml
    run 0 dealt/tree
    mv output expected
    if grep -q 'staged instead' messages; then fail "tokens leave their device beside a group" messages; fi
    run 0 apart/tree
    cmp output expected || fail "a neighbour of a dealt group: other bytes"

    # Who is not on the same devices, and what is kept.
    mapping '* - device_* group="yes"' 'Join - device_0 group="yes"' "${dealt[@]}" >mapping.xml
    run 0 "$dalsynth" --check --explain loops/network.xml two.xml mapping.xml
    expect 'Join is not launched with what it reads from: Each runs on other devices' output
    mapping '* - device_* group="yes"' "${dealt[@]}" >mapping.xml
    run 0 "$dalsynth" --check --explain echo.xml two.xml mapping.xml
    expect 'Twice is not launched with what it reads from: channel late has initial tokens, and a group on several devices keeps no tokens' output
fi

echo "all as it should be"
