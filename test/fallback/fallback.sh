#!/usr/bin/env bash
# A process for which its device is missing or has too little runs from its source for cores: the same
# bytes, with a warning that names process, device, reason and core; with --strict it is an error. Three
# kernels in a row, any of them too large, so that channels lose one end on the device, or both. What is
# wrong with a kernel's source is an error in any case.
set -euo pipefail

work=$(mktemp -d "${TMPDIR:-/tmp}/dal-fallback.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
dalsynth=${DAL_BUILDDIR:?}/synth/dalsynth
"$DAL_BUILDDIR/tools/dalinfo" --architecture -o architecture.xml
if ! grep -q 'name="device_0"' architecture.xml; then
    echo "no OpenCL device: there is nothing to fall back from"
    exit 1
fi

fail() {
    echo "FAIL: $1"
    shift
    [ $# -eq 0 ] || cat "$@"
    exit 1
}

expect() { # TEXT FILE
    grep -qF "$1" "$2" || fail "missing: $1" "$2"
}

cat >source.c <<'END'
#include "dal.h"
struct _local_states { int next; };
int Source_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->next, sizeof(int), p);
    return ++p->local->next == 1000;
}
END
cat >sink.c <<'END'
#include "dal.h"
int Sink_fire(DALProcess *p)
{
    int number;
    DAL_read(PORT_in, &number, sizeof(number), p);
    DAL_printf("%d\n", number);
    return 0;
}
END
cat >stage.c <<'END'
#include "dal.h"
int stage_fire(DALProcess *p)
{
    int pair[2];
    DAL_read(PORT_in, pair, sizeof(pair), p);
    pair[0] = 3 * pair[0] - pair[1];
    pair[1] = pair[1] ^ 21;
    DAL_write(PORT_out, pair, sizeof(pair), p);
    return 0;
}
END
cat >stage.cl <<'END'
#define SHARED __local // memory
__kernel void stage(__global const int *in, __global int *out)
{
    size_t at = 2 * get_group_id(0);
#ifdef MUCH
    SHARED int much[MUCH / 2], *first = much, (more)[MUCH / 2];
#ifdef NEVER
    __local double never[MUCH];
#endif
    int __local *const second = more;
    uint place = (uint)in[at] % (MUCH / 2);
    first[place] = in[at];
    second[place] = in[at + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[at] = 3 * much[place] - more[place];
#else
    out[at] = 3 * in[at] - in[at + 1];
#endif
    out[at + 1] = in[at + 1] ^ 21;
}
END

channel() { # NAME FROM TO
    printf '<sw_channel type="fifo" name="%s" size="32" tokensize="4" tokenratein="%s" tokenrateout="%s" %s>' \
        "$1" "$([ "$2" = Source ] && echo 1 || echo 2)" "$([ "$3" = Sink ] && echo 1 || echo 2)" \
        "$([ "$2" = A ] && echo 'initialtokens="3"')"
    printf '<port type="input" name="in"/><port type="output" name="out"/></sw_channel>\n'
    printf '<connection name="to_%s"><origin name="%s"><port name="out"/></origin>' "$1" "$2"
    printf '<target name="%s"><port name="in"/></target></connection>\n' "$1"
    printf '<connection name="from_%s"><origin name="%s"><port name="out"/></origin>' "$1" "$1"
    printf '<target name="%s"><port name="in"/></target></connection>\n' "$3"
}

stage() { # NAME LARGE-ONES
    printf '<process name="%s" type="local" shadowcopies="4"><port type="input" name="in"/>' "$1"
    printf '<port type="output" name="out"/><source id="0" type="opencl" location="stage.cl" %s/>' \
        "$([[ $2 = *$1* ]] && echo 'dataparallelism="65536"')"
    printf '<source id="1" type="c" location="stage.c"/></process>\n'
}

network() { # LARGE-ONES
    cat <<END
<processnetwork name="chain">
  <process name="Source" type="io"><port type="output" name="out"/>
    <source type="c" location="source.c"/></process>
  $(stage A "$1")$(stage B "$1")$(stage C "$1")
  <process name="Sink" type="io"><port type="input" name="in"/>
    <source type="c" location="sink.c"/></process>
  $(channel one Source A)$(channel two A B)$(channel three B C)$(channel four C Sink)
</processnetwork>
END
}

mapping() { # TARGET-ELEMENTS CHANNEL-ELEMENTS
    printf '<mapping name="m" processnetwork="chain">'
    printf '<binding name="b"><process name="*"/><processor name="core_0"/></binding>'
    printf '<binding name="%s"><process name="%s" sourceid="0"/><processor name="device_0"/>%s</binding>' \
        A A "${1:-}" B B "${1:-}" C C "${1:-}"
    printf '%s</mapping>' "${2:-}"
}

network "" >network.xml
printf '<mapping name="m"><binding name="b"><process name="*"/><processor name="core_0"/></binding></mapping>' >cores.xml
"$dalsynth" -o cores network.xml architecture.xml cores.xml
cores/chain >expected
[ "$(wc -l <expected)" -eq 1002 ] || fail "$(wc -l <expected) numbers on cores"

# falls_back LETTERS REASON [OPTION]...: the program in out/ runs, with a warning for each of LETTERS
runs=0
falls_back() {
    local letters=$1 reason=$2
    shift 2
    out/chain "$@" >output 2>messages || fail "$letters: exit status $?" messages
    cmp output expected || fail "$letters: other bytes" messages
    [ "$(grep -c ' cannot run on device_0 ' messages || true)" -eq ${#letters} ] ||
        fail "$letters: not as many warnings" messages
    for ((k = 0; k < ${#letters}; k++)); do
        grep -qE "chain: warning: process ${letters:k:1} cannot run on device_0 \(.*\): $reason; it runs as C on core_0 instead" messages ||
            fail "$letters: no warning for ${letters:k:1}" messages
    done
    runs=$((runs + 1))
}

# refused REASON: not so with --strict, neither a run nor a check
refused() {
    local option
    for option in "" --check; do
        if out/chain --strict $option >output 2>messages; then
            fail "--strict $option: exit status 0"
        fi
        [ ! -s output ] || fail "--strict: there is output"
        expect "$1" messages
        ! grep -q 'cannot run on' messages || fail "--strict: it falls back" messages
    done
}

for letters in "" A B C AB AC BC ABC; do
    network "$letters" >network.xml
    mapping >mapping.xml
    "$dalsynth" -o out network.xml architecture.xml mapping.xml 2>made || fail "$letters: dalsynth" made
    falls_back "$letters" "a limit is exceeded"
    out/chain --check >output 2>messages || fail "$letters: --check"
    [ ! -s output ] || fail "$letters: --check runs"
    [ -z "$letters" ] && continue
    expect "65536 work-items" made
    expect "process ${letters:0:1} cannot run on device_0" made
    refused "chain: error: process ${letters:0:1}: 65536 work-items, but"
    if "$dalsynth" --strict -o refused network.xml architecture.xml mapping.xml 2>messages; then
        fail "$letters: dalsynth --strict"
    fi
    [ ! -e refused ] || fail "dalsynth --strict writes something"
done

# What the mapping says of channels holds where there is a device still.
for kind in staged naive; do
    for letters in A AB ABC; do
        network "$letters" >network.xml
        mapping "" "<channel name=\"*\" kind=\"$kind\"/>" >mapping.xml
        "$dalsynth" -o out network.xml architecture.xml mapping.xml 2>made || fail "$kind: dalsynth" made
        DAL_STATS=1 falls_back "$letters" "a limit is exceeded"
        grep -q "^four *$([ "$letters" = ABC ] && echo core || echo "$kind") " messages || fail "$kind: channel four" messages
    done
done

# Nowhere to run: the work-group is too large, the kernel wants more local memory, no device at all.
network "" >network.xml
mapping '<target workitems="65536"/>' >mapping.xml
"$dalsynth" -o out network.xml architecture.xml mapping.xml 2>made || fail "work-items: dalsynth" made
falls_back ABC "a limit is exceeded"
expect "65536 work-items" messages
refused "65536 work-items"

# Two halves of all there is fit. A driver that says nothing of a kernel's local memory, as PoCL 6, may
# end the program at the launch.
local_memory() {
    local limit extra
    network A | sed 's/dataparallelism="65536"/cflags="-DMUCH=16777216"/' >network.xml
    "$dalsynth" -o out network.xml architecture.xml mapping.xml 2>made || fail "local memory: dalsynth" made
    falls_back A "a limit is exceeded"
    # NVIDIA's compiler refuses it before anybody counts bytes.
    out/chain --strict >output 2>messages || true
    if grep -q 'uses too much shared data' messages; then
        refused "asks for more than there is"
        return
    fi
    refused "bytes of local memory"
    limit=$(sed -nE 's/.*bytes of local memory, but .* has ([0-9]+)$/\1/p
        s/.*more than the ([0-9]+) bytes of local memory.*/\1/p' messages | head -n 1)
    [ -n "$limit" ] || fail "local memory: the limit is not said" messages
    for extra in 0 2; do
        network A | sed "s/dataparallelism=\"65536\"/cflags=\"-DMUCH=$((limit / 4 + extra))\"/" >network.xml
        "$dalsynth" -o out network.xml architecture.xml mapping.xml 2>made || fail "local memory: dalsynth" made
        falls_back "$([ $extra = 0 ] || echo A)" "a limit is exceeded"
    done
}
mapping >mapping.xml
(local_memory)

# The same of any driver whose answer is taken away.
cat >silent.c <<'END'
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 200
#include <CL/cl.h>
#include <dlfcn.h>
#include <string.h>
cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
                                size_t room, void *value, size_t *bytes)
{
    cl_int (*ask)(cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t, void *, size_t *) =
        dlsym(RTLD_NEXT, "clGetKernelWorkGroupInfo");
    cl_int code = ask(kernel, device, what, room, value, bytes);
    if (what == CL_KERNEL_LOCAL_MEM_SIZE && value)
        memset(value, 0, sizeof(cl_ulong));
    return code;
}
END
"${CC:-cc}" -shared -fPIC -o silent.so silent.c -ldl
(
    export LD_PRELOAD=$work/silent.so ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0
    local_memory
)

network "" >network.xml
"$dalsynth" -o out network.xml architecture.xml mapping.xml
OCL_ICD_VENDORS=$work falls_back ABC "no such device"
OCL_ICD_VENDORS=$work refused "this machine has no OpenCL device"

# No room for a ring of 280 MB: PoCL's devices have as much memory as they are told, here 1 GB, and
# give a quarter of it at once. Its producer moves, then, for that was not enough, its consumer.
if grep -A 3 'name="device_0"' architecture.xml | grep -q 'Portable Computing Language'; then
    mapping "" '<channel name="two" size="70000000"/>' >mapping.xml
    "$dalsynth" -o out network.xml architecture.xml mapping.xml 2>made || fail "memory: dalsynth" made
    export POCL_MEMORY_LIMIT=1
    falls_back AB "(a limit is exceeded|an OpenCL call failed)"
    expect "chain: warning: channel two: " messages
    refused "chain: error: channel two: "
    unset POCL_MEMORY_LIMIT
fi

# The mapping names source and core; dalsynth tells.
if grep -q 'name="core_1" type' architecture.xml; then
    network A >network.xml
    mapping '<fallback sourceid="1" processor="core_1"/>' >mapping.xml
    "$dalsynth" --explain -o out network.xml architecture.xml mapping.xml >explained 2>made
    expect "A, when its kernel cannot be had: stage.c on core_1" explained
    out/chain >output 2>messages
    cmp output expected
    expect "it runs as C on core_1 instead" messages
fi

# A portable source stands in for itself when the mapping says so.
cat >portable.c <<'END'
#include "dal.h"
int portable_fire(DALProcess *p)
{
    DAL_WINDOW const int *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_foreach (blk : PORT_out) {
        DAL_WINDOW int *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, 2, blk, p);
        out[0] = 3 * in[0] - in[1];
        out[1] = in[1] ^ 21;
        DAL_write_end(PORT_out, out, p);
    }
    DAL_read_end(PORT_in, in, p);
    return 0;
}
END
network "" | sed 's|<source id="0"[^>]*>||g; s|<source id="1"[^>]*>|<source id="0" type="portable" location="portable.c"/>|g' >network.xml
mapping '<fallback sourceid="0"/>' >mapping.xml
"$dalsynth" -o out network.xml architecture.xml mapping.xml
falls_back "" "none"
OCL_ICD_VENDORS=$work falls_back ABC "no such device"

# Without another source there is nothing to fall back to.
network A | sed 's|<source id="1" type="c" location="stage.c"/>||' >network.xml
mapping >mapping.xml
if "$dalsynth" -o refused network.xml architecture.xml mapping.xml 2>messages; then
    fail "a kernel that cannot be had, and nothing else, is not refused"
fi
expect "65536 work-items" messages

# What is wrong with a source: C is no answer. dalsynth says so, at the user's line, and leaves nothing;
# where the program has been built elsewhere, so does the program. Other processes fall back meanwhile.
wrong() { # SED-FOR-NETWORK SED-FOR-KERNEL EXPECTED-MESSAGE ERROR
    local option
    network B | sed '/name="A"/s/stage\.cl"/wrong.cl"/' | sed "$1" >network.xml
    sed "$2" stage.cl >wrong.cl
    mapping >mapping.xml
    if "$dalsynth" -o refused network.xml architecture.xml mapping.xml >made 2>&1; then
        fail "$1$2: dalsynth makes a program" made
    fi
    expect "$3" made
    [ ! -e refused ] || fail "$1$2: dalsynth writes something"
    "$dalsynth" --emit-only -o out network.xml architecture.xml mapping.xml
    make -s -C out >made 2>&1 || fail "$1$2: make" made
    for option in "" --check --strict; do
        if out/chain $option >output 2>messages; then
            fail "$1$2: the program with '$option' has exit status 0" messages
        fi
        [ ! -s output ] || fail "$1$2: there is output"
        expect "$3" messages
        expect "chain: error: process 'A': wrong.cl $4" messages
        ! grep -q 'process A cannot run on' messages || fail "$1$2: it falls back" messages
    done
}
wrong "" 's/= 2 \*/= none */' "wrong.cl:4: error: [kernel-build] " "does not build for "
wrong "" '1i #if 0
$a #endif' "wrong.cl has no kernel 'stage'" "has no kernel "
wrong 's/"wrong.cl"/& cflags="-no-such-option"/' "" "no-such-option" "does not build for "

# Warnings of a kernel's compiler stand where dalsynth tries the kernel, at the user's line; not where
# the program runs.
network "" >network.xml
sed '4i __global float *odd = (out);' stage.cl >warned.cl
sed -i 's/"stage.cl"/"warned.cl"/' network.xml
"$dalsynth" -o out network.xml architecture.xml mapping.xml >made 2>&1 || fail "warnings: dalsynth" made
expect "warned.cl:4: warning: [kernel-build] " made
! grep -q ' generated\.$' made || fail "warnings are counted" made
if ! grep -q Oclgrind architecture.xml; then
    out/chain >output 2>messages
    cmp output expected
    [ ! -s messages ] || fail "warnings while the program runs" messages
fi
echo "$runs runs give the same bytes"
