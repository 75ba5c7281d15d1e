#!/usr/bin/env bash
# A trace has all that a device does: each upload, download and copy within it, once, with its channel and bytes, as the
# statistics have counted the bytes and the stand-in for CUDA the calls. Times are on one clock: a kernel begins behind its
# upload, and a download behind its kernel. All formats have the same; what was lost is counted; without a trace, transfers
# have no events.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

command -v python3 >/dev/null || skip "python3 is missing"
tokens=600 token_bytes=64

cat >source.c <<'END_C'
#include <dal.h>
struct _local_states { int next; };
int Source_fire(DALProcess *p)
{
    int token[16];
    for (int i = 0; i < 16; i++)
        token[i] = 16 * p->local->next + i;
    DAL_write(PORT_out, token, sizeof(token), p);
    return ++p->local->next == TOKENS;
}
END_C
cat >sink.c <<'END_C'
#include <dal.h>
#include <stdio.h>
struct _local_states { int next; long sum; };
int Sink_fire(DALProcess *p)
{
    int token[16];
    DAL_read(PORT_in, token, sizeof(token), p);
    for (int i = 0; i < 16; i++)
        p->local->sum += token[i] ^ p->local->next;
    p->local->next++;
    return 0;
}
void Sink_finish(DALProcess *p) { printf("%d tokens, %ld\n", p->local->next, p->local->sum); }
END_C
# A window of First's is 3 tokens, one of Second's 2: in the ring between them the last one straddles the end.
cat >first.cl <<'END_CL'
__kernel void First(__global const int *in, __global int *out)
{
    size_t group = get_group_id(0), item = get_local_id(0);
    for (size_t i = item; i < 48; i += get_local_size(0))
        out[48 * group + i] = 3 * in[48 * group + i];
}
END_CL
cat >second.cl <<'END_CL'
__kernel void Second(__global const int *in, __global int *out)
{
    size_t group = get_group_id(0), item = get_local_id(0);
    for (size_t i = item; i < 32; i += get_local_size(0))
        out[32 * group + i] = in[32 * group + i] + 1;
}
END_CL
sed -i "s/TOKENS/$tokens/" source.c
on='dataparallelism="16" shadowcopies="4"' channel="tokensize=\"$token_bytes\""
cat >network.xml <<END_X
<processnetwork name="moves">
  <process name="Source" source="source.c"/>
  <process name="First" source="first.cl" $on/>
  <process name="Second" source="second.cl" $on/>
  <process name="Sink" source="sink.c"/>
  <channel name="a" from="Source.out" to="First.in" $channel size="96" tokenrateout="3"/>
  <channel name="b" from="First.out" to="Second.in" $channel size="25" tokenratein="3" tokenrateout="2" initialtokens="2"/>
  <channel name="c" from="Second.out" to="Sink.in" $channel size="96" tokenratein="2"/>
</processnetwork>
END_X

# build DEVICE KIND: the program in the folder of that name; of no kind, channels are as planned, and the device's own is
# copied where a window goes beyond its end
build() {
    mapping "Source - core_0" "First - $1" "Second - $1" "Sink - core_0" ${2:+"<channel name=\"*\" kind=\"$2\"/>"} >mapping.xml
    if [ -n "$2" ]; then copies=(); else copies=(--copies); fi
    synthesise -o "$1" network.xml machine.xml mapping.xml
}

# traced PROGRAM: leaves t.json and stats.json
traced() {
    DAL_GROUPS=0 DAL_STATS=./stats.json DAL_TRACE=t.json run 0 "$1/moves"
    cmp output expected || fail "other bytes with a trace" output expected
}

# look ARGUMENT...: at t.json
look() {
    python3 "$input/transfers.py" t.json "$@" >out 2>log || fail "$what" log out
}

# ledger: what is copied within the ring of b is predicted, and has been counted in stats.json.
ledger() {
    "$dalsynth" --check --explain --measured=stats.json network.xml machine.xml mapping.xml >said 2>log || fail "the ledger" log
    grep -qE '^b +device +384 +[1-9][0-9]* ' said || fail "nothing is copied of b" said
    grep -qE '^b +device +([1-9][0-9]*) +\1 +([0-9]+) +\2 .* as predicted$' said || fail "the copies of b" said
}

# all_formats PROGRAM: what t.json has, the others have as well; of runs without queues of their own
all_formats() {
    local ending
    for ending in pftrace prv; do
        DAL_GROUPS=0 DAL_TRACE=t.$ending run 0 "$1/moves"
        python3 "$input/compare.py" --totals t.json t.$ending >out 2>log || fail "t.$ending of $1" log out
    done
}

architecture core_0 device_0 >machine.xml
"$dalinfo" --architecture -o there.xml
if has_device there.xml; then
    for kind in naive '' staged; do
        build device_0 "$kind"
        DAL_GROUPS=0 run 0 device_0/moves
        mv output expected
        for queues in 1 ''; do
            what="${kind:-as planned}${queues:+, with queues of their own}"
            export DAL_TRANSFER_QUEUES=$queues
            [ -n "$queues" ] || unset DAL_TRANSFER_QUEUES
            traced device_0
            look --stats stats.json "${copies[@]}"
            echo "$what: $(cat out)"
        done
        [ -n "$kind" ] || ledger
    done
    all_formats device_0
    DAL_TRACE_EVENTS=10 traced device_0
    expect "events of device_0 uploads lost (DAL_TRACE_EVENTS)" messages
    look --limit 10
fi

if names=$(two_devices) && [ -n "$names" ]; then
    export POCL_DEVICES=$names
    "$dalinfo" --architecture -o machine.xml
    mapping "Source - core_0" 'First - device_0 <processor name="device_1"/>' 'Second - device_1' 'Sink - core_0' >mapping.xml
    synthesise -o two network.xml machine.xml mapping.xml
    what="dealt to two devices"
    for queues in 1 ''; do
        export DAL_TRANSFER_QUEUES=$queues
        [ -n "$queues" ] || unset DAL_TRANSFER_QUEUES
        traced two
        look --stats stats.json --several
    done
    echo "$what: $(cat out)"
    unset POCL_DEVICES
fi

use_standin || { echo "the stand-in for CUDA is not tried" && exit 0; }
export OCL_ICD_VENDORS=/nowhere

# count CALL
count() {
    grep -c "^$1 " calls || true
}

architecture core_0 cuda_0 >machine.xml
for kind in staged ''; do
    build cuda_0 "$kind"
    DAL_GROUPS=0 run 0 cuda_0/moves
    mv output expected
    rm -f calls
    DAL_STANDIN_LOG=$work/calls traced cuda_0
    what="CUDA, ${kind:-as planned}"
    look --stats stats.json --calls calls "${copies[@]}"
    grep -qx 'left: ' calls || fail "something is left" calls
    echo "$what: $(cat out)"
done
all_formats cuda_0

# Statistics alone ask for the times of launches alone, and a run for none.
for stats in ./stats.json 0; do
    rm -f calls
    DAL_GROUPS=0 DAL_STATS=$stats DAL_STANDIN_LOG=$work/calls run 0 cuda_0/moves
    timed=$([ $stats = 0 ] || count cuLaunchKernel)
    [ "$(count cuEventElapsedTime)" -eq $((2 * timed)) ] || fail "$(count cuEventElapsedTime) times asked for with DAL_STATS=$stats"
done
echo "all that devices do is in the trace"
