#!/usr/bin/env bash
# What a network asks of the CUDA driver, as the stand-in for it has recorded: two kernels in a row, on one GPU, on two that
# are peers, and on two that are not. Everything is given back, nothing is misused, no call fails; what repeats is launched as
# graphs; only what goes to the host goes to the host; and nothing is made while tokens flow. With several seeds, which are
# orders in which a driver may do things.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

use_standin || skip "no stand-in for CUDA, no compiler of C++, or ThreadSanitizer, which it is not for"
export OCL_ICD_VENDORS=/nowhere
tokens=4096 token_bytes=64

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
struct _local_states { int next, wrong; };
int Sink_fire(DALProcess *p)
{
    int token[16];
    DAL_read(PORT_in, token, sizeof(token), p);
    for (int i = 0; i < 16; i++)
        p->local->wrong += token[i] != 3 * (16 * p->local->next + i) + 1;
    p->local->next++;
    return 0;
}
void Sink_finish(DALProcess *p) { printf("%d tokens, %d numbers wrong\n", p->local->next, p->local->wrong); }
END_C
cat >first.cl <<'END_CL'
__kernel void First(__global const int *in, __global int *out) { out[get_global_id(0)] = 3 * in[get_global_id(0)]; }
END_CL
cat >second.cl <<'END_CL'
__kernel void Second(__global const int *in, __global int *out) { out[get_global_id(0)] = in[get_global_id(0)] + 1; }
END_CL
sed -i "s/TOKENS/$tokens/" source.c
sed 's/Second/Next/; s/+ 1/+ 0/' second.cl >next.cl

# network NUMBER SIZE: with so many kernels between the two, and channels of so many tokens
network() {
    local last=First number channel="tokensize=\"$token_bytes\" size=\"$2\"" on="dataparallelism=\"16\" shadowcopies=\"8\""
    echo '<processnetwork name="calls">'
    echo '<process name="Source" source="source.c"><port type="output" name="out"/></process>'
    echo '<process name="Sink" source="sink.c"><port type="input" name="in"/></process>'
    for number in First $(seq -f Next%g "$1") Second; do
        echo "<process name=\"$number\" source=\"$(echo "$number" | tr -d 0-9 | tr FNS fns).cl\" $on>"
        echo '<port type="input" name="in"/><port type="output" name="out"/></process>'
        [ "$number" = First ] || echo "<channel name=\"to$number\" from=\"$last.out\" to=\"$number.in\" $channel/>"
        last=$number
    done
    echo "<channel name=\"a\" from=\"Source.out\" to=\"First.in\" $channel/>"
    echo "<channel name=\"c\" from=\"Second.out\" to=\"Sink.in\" $channel/></processnetwork>"
}
cat >machine.xml <<'END'
<architecture name="m">
  <processor name="core" type="RISC"><capability name="POSIX" identifier="0"/></processor>
  <processor name="gpu_1" type="GPU"><capability name="CUDA" identifier="GPU_DEV1" platform="NVIDIA CUDA"/></processor>
  <processor name="gpu_2" type="GPU"><capability name="CUDA" identifier="GPU_DEV2" platform="NVIDIA CUDA"/></processor>
</architecture>
END

# bytes CALL: that it has moved in all
bytes() {
    sed -n "s/^$1.* bytes=\([0-9]*\) = 0$/\1/p" calls | awk '{ sum += $1 } END { print sum + 0 }'
}

# count CALL
count() {
    grep -c "^$1 " calls || true
}

# What the middle half of a run does not call: that is for its start and its end.
making='cu(MemAlloc|MemFree|MemHostAlloc|MemFreeHost|ModuleLoadData|ModuleUnload|ModuleGetFunction|StreamCreate|StreamDestroy|EventSynchronize|DevicePrimaryCtx.*)(_v2)?|nvrtc.*'

# check_calls BYTES-TO-THE-HOST BYTES-TO-DEVICES NAME: of the run that has left `calls`
check_calls() {
    local lines
    expect "$tokens tokens, 0 numbers wrong" output
    grep -qx 'left: ' calls || fail "something is left" calls
    grep -qx 'misused: 0' calls || fail "misuse" messages
    # not ready, already enabled, and no further argument are answers
    ! grep -vE '= (0|600|704)$|^left|^misused|^cuFuncGetParamInfo .* = 1$' calls >failed || fail "a call failed" failed
    [ "$(bytes cuMemcpyDtoHAsync_v2)" = "$1" ] || fail "$(bytes cuMemcpyDtoHAsync_v2) bytes went to the host, not $1: $3"
    [ "$(bytes cuMemcpyHtoDAsync_v2)" = "$2" ] || fail "$(bytes cuMemcpyHtoDAsync_v2) bytes came from the host, not $2: $3"
    lines=$(wc -l <calls)
    sed -n "$((lines / 4)),$((lines * 3 / 4))p" calls | cut -d' ' -f1 | sort | uniq -c >middle
    head -n $((lines / 4)) calls >start
    expect 'cuCtxSetCurrent device=-1 = 0' start # the main thread has what it had
    ! grep -E " ($making)\$" middle >made || fail "made or waited for while tokens flow" made
}

checked=0
# runs NAME SECOND-KERNEL'S-GPU PEERS BYTES BYTES
runs() {
    local seed
    mapping "Source - core" "[FN]* - gpu_1 group=\"no\"" "Second - $2 group=\"no\"" "Sink - core" >mapping.xml
    synthesise -o "$1" network.xml machine.xml mapping.xml
    for seed in 1 2; do
        rm -f calls
        DAL_STANDIN_SEED=$seed DAL_STANDIN_PEERS=$3 DAL_STANDIN_LOG=$work/calls run 0 "$1/calls"
        check_calls "$4" "$5" "$1, seed $seed"
        checked=$((checked + 1))
    done
}

all=$((tokens * token_bytes))
network 0 64 >network.xml
runs one gpu_1 1 $all $all
runs peers gpu_2 1 $all $all
# between two GPUs that are none lies a ring of the host
runs strangers gpu_2 0 $((2 * all)) $((2 * all))
network 10 8 >network.xml
runs chain gpu_1 1 $all $all
launched=$(count cuGraphLaunch)
[ "$launched" -gt 10 ] || fail "$launched graphs were launched"
echo "$checked runs, $launched graphs launched in the last"
