#!/usr/bin/env bash
# A process for which its device is missing or has too little runs from its source for cores: the same
# bytes, with a warning that names process, device, reason and core; with --strict it is an error. Three
# kernels in a row, any of them too large, so that channels lose one end on the device, or both. What is
# wrong with a kernel's source is an error in any case.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

export CFLAGS=-O1 # many programs, of which other tests see the code at -O3
cp "$input"/* .
"$dalinfo" --architecture -o architecture.xml
has_device architecture.xml || fail "no OpenCL device: there is nothing to fall back from"

link() { # NAME FROM TO: a channel; two tokens at a time, but one at source and sink
    channel "$1" "$2" out "$3" in "size=\"32\" tokenratein=\"$([ "$2" = Source ] && echo 1 || echo 2)\" \
        tokenrateout=\"$([ "$3" = Sink ] && echo 1 || echo 2)\" $([ "$2" != A ] || echo 'initialtokens="3"')"
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
  $(link one Source A)$(link two A B)$(link three B C)$(link four C Sink)
</processnetwork>
END
}

on_device() { # ELEMENTS-OF-BINDINGS ELEMENTS
    mapping "* - core_0" "A 0 device_0 ${1:-}" "B 0 device_0 ${1:-}" "C 0 device_0 ${1:-}" ${2:+"$2"} >mapping.xml
}

network "" >network.xml
mapping "* - core_0" >cores.xml
synthesise -o cores network.xml architecture.xml cores.xml
cores/chain >expected
[ "$(wc -l <expected)" -eq 1002 ] || fail "$(wc -l <expected) numbers on cores"

# falls_back LETTERS REASON [OPTION]...: the program in out/ runs, with a warning for each of LETTERS
runs=0
falls_back() {
    local letters=$1 reason=$2
    shift 2
    run 0 out/chain "$@"
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
        run 1 out/chain --strict $option
        [ ! -s output ] || fail "--strict: there is output"
        expect "$1" messages
        ! grep -q 'cannot run on' messages || fail "--strict: it falls back" messages
    done
}

for letters in "" A B C AB AC BC ABC; do
    is_next || continue
    network "$letters" >network.xml
    on_device
    synthesise -o out network.xml architecture.xml mapping.xml
    falls_back "$letters" "a limit is exceeded"
    run 0 out/chain --check
    [ ! -s output ] || fail "$letters: --check runs"
    [ -z "$letters" ] && continue
    expect "65536 work-items" made
    expect "process ${letters:0:1} cannot run on device_0" made
    refused "chain: error: process ${letters:0:1}: 65536 work-items, but"
    refuse "" --strict network.xml architecture.xml mapping.xml
done

# What the mapping says of channels holds where there is a device still.
for kind in staged naive; do
    for letters in A AB ABC; do
        is_next || continue
        network "$letters" >network.xml
        on_device "" "<channel name=\"*\" kind=\"$kind\"/>"
        synthesise -o out network.xml architecture.xml mapping.xml
        DAL_STATS=1 falls_back "$letters" "a limit is exceeded"
        grep -q "^four *$([ "$letters" = ABC ] && echo core || echo "$kind") " messages || fail "$kind: channel four" messages
    done
done

# Nowhere to run: the work-group is too large, the kernel wants more local memory, no device at all.
network "" >network.xml
on_device '<target workitems="65536"/>'
synthesise -o out network.xml architecture.xml mapping.xml
run 2 env DAL_TRACE=trace.json DAL_TRACE_EVENTS=10k out/chain # which is no fault of the device
[[ $(cat messages) = "chain: error: DAL_TRACE_EVENTS=10k: not a number"* && $(wc -l <messages) -eq 1 ]] ||
    fail "more than that it is no number" messages
falls_back ABC "a limit is exceeded"
expect "65536 work-items" messages
refused "65536 work-items"

# Two halves of all there is fit. A driver that says nothing of a kernel's local memory, as PoCL 6, may
# end the program at the launch.
local_memory() {
    local limit extra
    network A | sed 's/dataparallelism="65536"/cflags="-DMUCH=16777216"/' >network.xml
    synthesise -o out network.xml architecture.xml mapping.xml
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
        synthesise -o out network.xml architecture.xml mapping.xml
        falls_back "$([ $extra = 0 ] || echo A)" "a limit is exceeded"
    done
}
on_device
(local_memory)

# The same of any driver whose answer is taken away.
"${CC:-cc}" -shared -fPIC -o silent.so silent.c -ldl
(
    export LD_PRELOAD=$work/silent.so ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0
    local_memory
)

network "" >network.xml
synthesise -o out network.xml architecture.xml mapping.xml
OCL_ICD_VENDORS=$work falls_back ABC "no such device"
OCL_ICD_VENDORS=$work refused "this machine has no OpenCL device"

# No room for a ring of 280 MB: PoCL's devices have as much memory as they are told, here 1 GB, and
# give a quarter of it at once. Its producer moves, then, for that was not enough, its consumer.
if grep -A 3 'name="device_0"' architecture.xml | grep -q 'Portable Computing Language'; then
    on_device "" '<channel name="two" size="70000000"/>'
    synthesise -o out network.xml architecture.xml mapping.xml
    export POCL_MEMORY_LIMIT=1
    falls_back AB "(a limit is exceeded|a call to a device failed)"
    expect "chain: warning: channel two: " messages
    refused "chain: error: channel two: "
    unset POCL_MEMORY_LIMIT
fi

# The mapping names source and core; dalsynth tells.
if grep -q 'name="core_1" type' architecture.xml; then
    network A >network.xml
    on_device '<fallback sourceid="1" processor="core_1"/>'
    synthesise --explain -o out network.xml architecture.xml mapping.xml
    expect "A, when its kernel cannot be had: stage.c on core_1" made
    run 0 out/chain
    cmp output expected || fail "the mapping's fallback: other bytes"
    expect "it runs as C on core_1 instead" messages
fi

# A portable source stands in for itself when the mapping says so.
network "" | sed 's|<source id="0"[^>]*>||g; s|<source id="1"[^>]*>|<source id="0" type="portable" location="portable.c"/>|g' >network.xml
on_device '<fallback sourceid="0"/>'
synthesise -o out network.xml architecture.xml mapping.xml
falls_back "" "none"
OCL_ICD_VENDORS=$work falls_back ABC "no such device"

# Without another source there is nothing to fall back to.
network A | sed 's|<source id="1" type="c" location="stage.c"/>||' >network.xml
on_device
refuse "65536 work-items" network.xml architecture.xml mapping.xml

# What is wrong with a source for a device: C is no answer. dalsynth says so, at the user's line, and leaves
# nothing; where the program has been built elsewhere, so does the program. Other processes fall back meanwhile.
wrong() { # SED-FOR-NETWORK SED-FOR-KERNEL EXPECTED-MESSAGE ERROR
    local option
    network B | sed '/name="A"/s/stage\.cl"/wrong.cl"/' | sed "$1" >network.xml
    sed "$2" stage.cl >wrong.cl
    on_device
    run 1 "$dalsynth" -o refused network.xml architecture.xml mapping.xml
    cat output >>messages
    expect "$3" messages
    [ ! -e refused ] || fail "$1$2: dalsynth writes something"
    synthesise --emit-only -o out network.xml architecture.xml mapping.xml
    make -s -C out >made 2>&1 || fail "$1$2: make" made
    for option in "" --check --strict; do
        run 1 out/chain $option
        [ ! -s output ] || fail "$1$2: there is output"
        expect "$3" messages
        expect "chain: error: process 'A': wrong.cl $4" messages
        ! grep -q 'process A cannot run on' messages || fail "$1$2: it falls back" messages
    done
}
# Not every compiler calls a function that is not there an error: the linker may.
wrong "" 's/= 2 \*/= amd_none(2) */' "amd_none" "does not build for "
# shellcheck disable=SC2016
wrong "" '1i #ifdef cl_none_has_this
$a #endif' "This source has no kernel for this device" "does not build for "
sed '1i #if 0
$a #endif' stage.cl >wrong.cl
network B | sed '/name="A"/s/stage\.cl"/wrong.cl"/' >network.xml
refuse "wrong.cl:1: error: [kernel-signature] process 'A': this source has 0 kernels" network.xml architecture.xml mapping.xml
sed 's/= 2 \*/= none */' stage.cl >wrong.cl
refuse "wrong.cl:4:17: error: [kernel-build] use of undeclared identifier 'none'" network.xml architecture.xml mapping.xml
wrong 's/"wrong.cl"/& cflags="-no-such-option"/' "" "no-such-option" "does not build for "

# Warnings of a kernel's compiler stand where dalsynth tries the kernel, at the user's line; not where
# the program runs.
network "" >network.xml
sed '4i __global float *odd = (out);' stage.cl >warned.cl
sed -i 's/"stage.cl"/"warned.cl"/' network.xml
synthesise -o out network.xml architecture.xml mapping.xml
expect "warned.cl:4: warning: [kernel-build] " made
! grep -q ' generated\.$' made || fail "warnings are counted" made
if ! grep -q Oclgrind architecture.xml; then
    run 0 out/chain
    cmp output expected || fail "warnings: other bytes"
    [ ! -s messages ] || fail "warnings while the program runs" messages
fi

# A driver may say in a variable of the loader that it is the only one, as PoCL 5 does. Programs that
# are started later do not see it.
cat >loud.c <<'END_C'
#include <stdlib.h>
__attribute__((constructor)) static void begin(void) { setenv("OCL_ICD_FILENAMES", "libloud.so", 1); }
END_C
gcc -shared -fPIC -o libloud.so loud.c
mkdir drivers
cp "${OCL_ICD_VENDORS:-/etc/OpenCL/vendors}"/*.icd drivers
echo "$work/libloud.so" >drivers/loud.icd
sed 's/DAL_printf(.*/if (number >= 0) { DAL_printf("%s\\n", getenv("OCL_ICD_FILENAMES") ? "loud" : "quiet"); return 1; }/' sink.c >told.c
network "" | sed 's/"sink.c"/"told.c"/' >network.xml
synthesise -o told network.xml architecture.xml mapping.xml
OCL_ICD_VENDORS=$work/drivers run 0 told/chain
expect quiet output
echo "$runs runs give the same bytes"
