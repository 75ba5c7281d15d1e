#!/usr/bin/env bash
# Tokens that are changed in place: a process with state in a channel to itself, whose port has other readers with initial tokens
# and rates of their own, finds the same memory at both ends on every mapping, and makes the same bytes as where they are copied.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
firings=3000 programs=0

cat >source.c <<'END'
#include "dal.h"
struct _local_states { int next; };
int Source_fire(DALProcess *p)
{
    int i, token;
    for (i = 0; i < 2; i++) {
        token = p->local->next * 2 + i;
        DAL_write(PORT_out, &token, sizeof(token), p);
    }
    return ++p->local->next == FIRINGS;
}
END
# Of each token the last word stays as it is: in place it is not written.
cat >state.c <<'END'
#include "dal.h"
int State_fire(DALProcess *p)
{
    int *in = DAL_read_begin(PORT_in, sizeof(int), 2, p);
    unsigned *before = DAL_read_begin(PORT_before, 16, 2, p);
    unsigned *after = DAL_write_begin(PORT_after, 16, 2, 2, 0, p);
    int *same = DAL_write_begin(PORT_same, sizeof(int), 1, 1, 0, p), i;
    for (i = 0; i < 8; i++)
        if (i % 4 < 3)
            after[i] = before[i] * 3 + (unsigned)(in[i / 4] + i);
        else if (after != before)
            after[i] = before[i];
    *same = after == before;
    DAL_read_end(PORT_in, in, p);
    DAL_read_end(PORT_before, before, p);
    DAL_write_end(PORT_after, after, p);
    DAL_write_end(PORT_same, same, p);
    return 0;
}
END
cat >state.cl <<'END'
kernel void State(global const int *in, global const uint *before, global uint *after, global int *same)
{
    size_t firing = get_group_id(0);
    int i;
    for (i = get_local_id(0); i < 8; i += get_local_size(0))
        if (i % 4 < 3)
            after[firing * 8 + i] = before[firing * 8 + i] * 3 + (uint)(in[firing * 2 + i / 4] + i);
        else if (after != before)
            after[firing * 8 + i] = before[firing * 8 + i];
    if (get_local_id(0) == 0)
        same[firing] = after == before;
}
END
cat >late.c <<'END'
#include "dal.h"
int Late_fire(DALProcess *p)
{
    unsigned token[12];
    DAL_read(PORT_in, token, sizeof(token), p);
    DAL_write(PORT_out, token, sizeof(token), p);
    return 0;
}
END
cat >late.cl <<'END'
kernel void Late(global const uint *in, global uint *out)
{
    int i;
    for (i = get_local_id(0); i < 12; i += get_local_size(0))
        out[get_group_id(0) * 12 + i] = in[get_group_id(0) * 12 + i];
}
END
cat >early.c <<'END'
#include "dal.h"
struct _local_states { int count; };
int Early_fire(DALProcess *p)
{
    unsigned token[4];
    DAL_read(PORT_in, token, sizeof(token), p);
    return ++p->local->count == 10;
}
END
cat >sink.c <<'END'
#include "dal.h"
struct _local_states { unsigned long now, late; int firings, same; };
static void add(unsigned long *sum, const unsigned *words, int count)
{
    int i;
    for (i = 0; i < count; i++)
        *sum = (*sum ^ words[i]) * 1099511628211ul;
}
int Sink_fire(DALProcess *p)
{
    unsigned words[24];
    int same[3], i;
    DAL_read(PORT_now, words, sizeof(words), p);
    add(&p->local->now, words, 24);
    DAL_read(PORT_late, words, sizeof(words), p);
    add(&p->local->late, words, 24);
    DAL_read(PORT_same, same, sizeof(same), p);
    for (i = 0; i < 3; i++)
        p->local->same += same[i];
    p->local->firings += 3;
    return 0;
}
void Sink_finish(DALProcess *p)
{
    DAL_printf("%lx %lx, %d firings\n", p->local->now, p->local->late, p->local->firings);
    DAL_printf("%d in place\n", p->local->same);
}
END

# network NAME ATTRIBUTES-OF-STATE [INITIAL-TOKENS]
network() {
    cat >"$1.xml" <<END
<processnetwork name="net">
  <process name="Source" source="source.c" cflags="-DFIRINGS=$firings"/>
  <process name="State" source="state.c state.cl" stateless="true" shadowcopies="3" dataparallelism="4"/>
  <process name="Late" source="late.c late.cl" stateless="true" shadowcopies="2" dataparallelism="4"/>
  <process name="Early" type="io" source="early.c"/>
  <process name="Sink" type="io" source="sink.c"/>
  <channel name="words" from="Source.out" to="State.in" tokensize="4" tokenratein="2" tokenrateout="2"/>
  <channel name="state" from="State.after" to="State.before" tokensize="16" tokenratein="2" tokenrateout="2" $2
           initialtokens="${3:-12}" value="int32_t: 5 6 7 8"/>
  <channel name="now" from="State.after" to="Sink.now" tokensize="16" tokenratein="2" tokenrateout="6"/>
  <channel name="late" from="State.after" to="Late.in" tokensize="16" tokenratein="2" tokenrateout="3" initialtokens="${4:-5}"
           value="int32_t: 5 6 7 8"/>
  <channel name="early" from="State.after" to="Early.in" tokensize="16" tokenratein="2"/>
  <channel name="passed" from="Late.out" to="Sink.late" tokensize="16" tokenratein="3" tokenrateout="6"/>
  <channel name="same" from="State.same" to="Sink.same" tokensize="4" tokenrateout="3"/>
</processnetwork>
END
}

# bind PROCESS SOURCE PROCESSOR...
bind() {
    printf '<binding name="b%s"><process name="%s" sourceid="%s"/>' "$1" "$1" "$2"
    printf '<processor name="%s"/>' "${@:3}"
    echo '</binding>'
}

# mapping [BINDING-OR-CHANNEL...]: what is not bound runs on core_0
mapping() {
    echo '<mapping name="map" processnetwork="net">'
    echo '<binding name="rest"><process name="*" sourceid="0"/><processor name="core_0"/></binding>'
    printf '%s\n' "$@"
    echo '</mapping>'
}

# try WHAT ARCHITECTURE [BINDING...]: network.xml has the bytes of `wanted`, and all firings are in place
try() {
    local what=$1 setting
    mapping "${@:3}" >mapping.xml
    rm -rf made-net
    "$dalsynth" --strict -o made-net network.xml "$2" mapping.xml >made 2>&1 || fail "$what: dalsynth" made mapping.xml
    for setting in DAL_TRANSFER_QUEUES=0 DAL_TRANSFER_QUEUES=1; do
        run 0 env "$setting" made-net/net
        grep -qxF "$(head -n 1 wanted)" output || fail "$what: other bytes" wanted output
        grep -qx "$firings in place" output || fail "$what: not in place" output
    done
    programs=$((programs + 1))
}

"$dalinfo" --architecture -o one.xml
grep -q 'name="core_1" type' one.xml || sed -i \
    's|.*name="core_0" type.*|<processor name="core_1" type="RISC"><capability name="POSIX" identifier="0"/></processor>\n&|' one.xml

# all: every mapping of State and Late with the network as it is
all() {
    local kind
    try "one core" one.xml
    try "two cores" one.xml "$(bind State 0 core_1)"
    try "any core" one.xml "$(bind State 0 core_0 core_1)" "$(bind Late 0 core_1)"
    has_device one.xml || return 0
    try "on the device" one.xml "$(bind State 1 device_0)"
    try "read on the device" one.xml "$(bind Late 1 device_0)"
    try "both on the device" one.xml "$(bind State 1 device_0)" "$(bind Late 1 device_0)"
    for kind in staged naive; do
        try "on the device, $kind" one.xml "$(bind State 1 device_0)" "<channel name=\"now\" kind=\"$kind\"/>" \
            "<channel name=\"late\" kind=\"$kind\"/>"
        try "read on the device, $kind" one.xml "$(bind Late 1 device_0)" "<channel name=\"late\" kind=\"$kind\"/>"
    done
}

# The same on the stand-in's device of CUDA, whose compiler is that of the host.
cuda() {
    use_standin || fail "the stand-in for CUDA cannot be used"
    architecture core_0 core_1 cuda_0 >cuda.xml
    try "on CUDA" cuda.xml "$(bind State 1 cuda_0)"
    try "both on CUDA" cuda.xml "$(bind State 1 cuda_0)" "$(bind Late 1 cuda_0)"
    try "read on CUDA" cuda.xml "$(bind Late 1 cuda_0)"
    unset DAL_CUDA_DRIVER DAL_CUDA_COMPILER
}

# With one ring that has room for whole windows of all, with one that has a tail, and with a single firing's state.
for shape in "12 6" "12 5" "6 5"; do
    # shellcheck disable=SC2086 # words
    network network '' $shape
    mapping >mapping.xml
    synthesise --strict -o copied network.xml one.xml mapping.xml
    run 0 copied/net
    cp output wanted
    grep -qx "0 in place" wanted || fail "$shape: a copy that is none" wanted
    # shellcheck disable=SC2086 # words
    network network 'inplace="true"' $shape
    all
done
cuda

# A reader with a dynamic rate: Sink, whose thread reads the versions as they come.
cp network.xml fixed.xml
sed -i '/name="now"/s/tokenrateout="6"/tokenrateout="dynamic"/' network.xml
grep -q dynamic network.xml || fail "no dynamic rate" network.xml
try "a dynamic reader" one.xml "$(bind State 0 core_1)"
! has_device one.xml || try "a dynamic reader of a device" one.xml "$(bind State 1 device_0)"
mv fixed.xml network.xml

# On two nodes: State's tokens are read on both, and then on the other one alone.
nodes() {
    local reader
    cat >nodes.xml <<'END'
<architecture name="two">
  <shared name="a"/>
  <shared name="b"/>
  <processor name="a/core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>
  <processor name="b/core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>
</architecture>
END
    for reader in Late Sink; do
        mapping "$(bind $reader 0 b/core_0)" | sed 's|"core_0"|"a/core_0"|' >mapping.xml
        synthesise --strict -o nodes-net network.xml nodes.xml mapping.xml
        run 0 ranks 2 nodes-net/net
        cat output messages >said
        grep -qF "$(head -n 1 wanted)" said || fail "$reader on another node: other bytes" wanted said
        grep -q "$firings in place" said || fail "$reader on another node: not in place" said
        programs=$((programs + 1))
    done
}
if find_mpi >/dev/null; then
    without_leaks
    nodes
fi

# A kernel may write the state through either of its names: the other readers have read that version.
if has_device one.xml; then
    sed -i.kept 's/global const uint \*before/global uint *before/' state.cl
    mapping "$(bind State 1 device_0)" >either.xml
    synthesise --check network.xml one.xml either.xml
    ! grep 'kernel-signature' made || fail "a warning of other readers, and the state is changed in place"
    mv state.cl.kept state.cl
fi

# Without other readers
sed -i '/name="\(late\|passed\|now\|early\)"/,/\/>/d; /name="\(Late\|Early\)"/d' network.xml
sed -i -e '/DAL_read(PORT_\(now\|late\)/d; /add(&/d' -e 's/static void add/static inline void add/; s/unsigned words\[24\];//' sink.c
sed -i 's/, late/, late/' sink.c
mapping >mapping.xml
run 0 "$dalsynth" --check --explain network.xml one.xml mapping.xml
expect "the initial tokens of channel state, which a firing changes in place" output
echo "0 0, $firings firings" >wanted
try "alone" one.xml
! has_device one.xml || try "alone on the device" one.xml "$(bind State 1 device_0)"

# Neither another kind, nor another size, nor several devices
mapping '<channel name="state" kind="staged"/>' >kind.xml
refuse "channel 'state' is changed in place (inplace), so no kind can be asked for" network.xml one.xml kind.xml
mapping '<channel name="state" size="13"/>' >size.xml
refuse "so its size is its 6 initial tokens, and not 13" network.xml one.xml size.xml
if has_device one.xml; then
    sed -i 's/uint \*after/uint *restrict after/' state.cl
    mapping "$(bind State 1 device_0)" >restrict.xml
    refuse "argument 'after' is restrict, but its channel is changed in place (inplace)" network.xml one.xml restrict.xml
fi
two=$(two_devices)
if [ -n "$two" ]; then
    POCL_DEVICES=$two "$dalinfo" --architecture -o two.xml
    mapping "$(bind State 1 device_0 device_1)" >two-map.xml
    POCL_DEVICES=$two refuse "process 'State' cannot take turns on 2 devices: a firing changes channel 'state' in place" \
        network.xml two.xml two-map.xml
fi
echo "$programs programs"
