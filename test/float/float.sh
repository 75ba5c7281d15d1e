#!/usr/bin/env bash
# Floating point gives the same bytes everywhere: one process as C, as a kernel and as a portable source
# of both, compiled for any x86 and for this very processor. And it would be seen if it did not: with
# contraction allowed, by attribute, by option or by pragma, the bytes are others.
set -euo pipefail

work=$(mktemp -d "${TMPDIR:-/tmp}/dal-float.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
dalsynth=${DAL_BUILDDIR:?}/synth/dalsynth
"$DAL_BUILDDIR/tools/dalinfo" --architecture -o architecture.xml
if ! grep -q 'name="device_0"' architecture.xml; then
    echo "no OpenCL device: there is nothing to compare with"
    exit 1
fi

fail() {
    echo "FAIL: $1"
    shift
    [ $# -eq 0 ] || cat "$@"
    exit 1
}

# What of arithmetic is the same everywhere: + - * / and sqrt, each rounded once, and conversions.
cat >calc.h <<'END'
#ifdef DOUBLES
#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
typedef double real;
#define ROOT(x) 1.5
#else
typedef float real;
#ifdef __OPENCL_VERSION__
#define ROOT(x) sqrt(x)
#else
#include <math.h>
#define ROOT(x) sqrtf(x)
#endif
#endif

static inline real calc(unsigned number)
{
    real x = (real)(number & 1023) / (real)7, y = (real)(int)(number >> 4) * (real)0.37, sum = 0;
    real v[4];
    int i;

    v[0] = x, v[1] = y, v[2] = x - y, v[3] = (real)(number + 1) / (real)3;
    for (i = 0; i < 4; i++)
        sum += v[i] * v[(i + 1) % 4]; /* a dot product */
    x = x * y + sum;
    y = y * y - x * (real)0.1;
    sum = ROOT(x * x + y * y) / (sum + (real)2.5);
    return x * sum - y + (real)(int)(sum * (real)100);
}
END
cat >source.c <<'END'
#include "dal.h"
struct _local_states { unsigned next; };
int Source_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->next, sizeof(unsigned), p);
    return ++p->local->next == 2000;
}
END
cat >sink.c <<'END'
#include "dal.h"
int Sink_fire(DALProcess *p)
{
    unsigned char token[TOKEN_in_SIZE];
    DAL_read(PORT_in, token, sizeof(token), p);
    fwrite(token, 1, sizeof(token), stdout);
    return 0;
}
END
cat >calc.c <<'END'
#include "dal.h"
#include "calc.h"
int calc_fire(DALProcess *p)
{
    unsigned number;
    real result;
    DAL_read(PORT_in, &number, sizeof(number), p);
    result = calc(number);
    DAL_write(PORT_out, &result, sizeof(result), p);
    return 0;
}
END
cat >calc.cl <<'END'
#ifdef CONTRACT
#pragma OPENCL FP_CONTRACT ON
#endif
#include "calc.h"
__kernel void calc_all(__global const uint *in, __global real *out)
{
    size_t firing = get_group_id(0);
    if (get_local_id(0) == 0)
        out[firing] = calc(in[firing]);
}
END
cat >portable.c <<'END'
#include "dal.h"
#include "calc.h"
int portable_fire(DALProcess *p)
{
    DAL_WINDOW const unsigned *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_foreach (blk : PORT_out) {
        DAL_WINDOW real *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, 1, blk, p);
        out[0] = calc(in[0]);
        DAL_write_end(PORT_out, out, p);
    }
    DAL_read_end(PORT_in, in, p);
    return 0;
}
END

# network BYTES ATTRIBUTES C-FLAGS DEVICE-FLAGS
network() {
    cat <<END
<processnetwork name="float">
  <process name="Source" type="io"><port type="output" name="out"/>
    <source type="c" location="source.c"/></process>
  <process name="Calc" type="local" shadowcopies="16">
    <port type="input" name="in"/><port type="output" name="out"/>
    <source id="0" type="c" location="calc.c" libs="-lm" ${3:+cflags=\"$3\"} $2/>
    <source id="1" type="opencl" location="calc.cl" ${4:+cflags=\"$4\"} $2/>
    <source id="2" type="portable" location="portable.c" libs="-lm" ${3:+cflags=\"$3\"} $2/>
  </process>
  <process name="Sink" type="io"><port type="input" name="in"/>
    <source type="c" location="sink.c"/></process>
  <sw_channel name="numbers" tokensize="4"><port type="input" name="in"/><port type="output" name="out"/></sw_channel>
  <sw_channel name="results" tokensize="$1"><port type="input" name="in"/><port type="output" name="out"/></sw_channel>
  <connection name="a"><origin name="Source"><port name="out"/></origin><target name="numbers"><port name="in"/></target></connection>
  <connection name="b"><origin name="numbers"><port name="out"/></origin><target name="Calc"><port name="in"/></target></connection>
  <connection name="c"><origin name="Calc"><port name="out"/></origin><target name="results"><port name="in"/></target></connection>
  <connection name="d"><origin name="results"><port name="out"/></origin><target name="Sink"><port name="in"/></target></connection>
</processnetwork>
END
}

# result SOURCE PROCESSOR NETWORK-ARGUMENT...: what the program prints goes to `result`
result() {
    local source=$1 processor=$2
    shift 2
    network "$@" >network.xml
    cat >mapping.xml <<END
<mapping name="m"><binding name="all"><process name="*"/><processor name="core_0"/></binding>
<binding name="calc"><process name="Calc" sourceid="$source"/><processor name="$processor"/></binding></mapping>
END
    "$dalsynth" --strict -o out network.xml architecture.xml mapping.xml >made 2>&1 || return 1
    out/float --strict >result || fail "source $source on $processor with $*: exit status $?" made
}

same=0
same() { # ARGUMENTS OF result
    result "$@" || fail "dalsynth" made
    cmp result expected || fail "$*: other bytes"
    same=$((same + 1))
}

other=0
other() { # ARGUMENTS OF result
    result "$@" || fail "dalsynth" made
    ! cmp -s result expected || fail "$*: contraction changes nothing"
    other=$((other + 1))
}

everywhere() { # BYTES FLAGS
    result 0 core_0 "$1" "" "-O0 $2" "$2" || fail "dalsynth" made
    cp result expected
    [ "$(stat -c %s expected)" -eq $((2000 * $1)) ] || fail "$1 bytes: $(stat -c %s expected) bytes in all"
    for flags in -O2 "-O3 -march=native" "-O3 -march=native -fno-math-errno -fno-trapping-math"; do
        same 0 core_0 "$1" "" "$flags $2" ""
        same 2 core_0 "$1" "" "$flags $2" ""
    done
    same 1 device_0 "$1" "" "" "$2"
    same 2 device_0 "$1" "" "$2" ""
}

# Allowed, the same arithmetic has other results: where a processor has an instruction for a*b+c.
allowed() { # BYTES FLAGS
    other 0 core_0 "$1" 'contraction="on"' "-O2 -march=native $2" ""
    other 0 core_0 "$1" "" "-O2 -march=native -ffp-contract=fast $2" ""
    other 2 core_0 "$1" 'contraction="on"' "-O2 -march=native $2" ""
    same 0 core_0 "$1" 'contraction="off"' "-O2 -march=native $2" ""
}

allowed_on_device() { # BYTES FLAGS
    other 1 device_0 "$1" 'contraction="on"' "" "$2"
    other 1 device_0 "$1" "" "" "$2 -DCONTRACT"
    other 2 device_0 "$1" 'contraction="on"' "$2" ""
}

fma=$(grep -c -m 1 -wE 'fma|fphp' /proc/cpuinfo || true)
on_cores=$(grep -A 3 'name="device_0"' architecture.xml | grep -c '"CPU_' || true)
everywhere 4 ""
if [ "$fma" -gt 0 ]; then
    allowed 4 ""
    grep -q '"-ffp-contract=off".*"-ffp-contract=fast"' out/compile_commands.json &&
        fail "compile_commands.json: contraction that was not asked for"
    result 0 core_0 4 'contraction="on"' "" ""
    grep -q '"-ffp-contract=off".*"-ffp-contract=fast"' out/compile_commands.json ||
        fail "compile_commands.json: no contraction"
fi
if [ "$fma" -gt 0 ] || [ "$on_cores" -eq 0 ]; then
    allowed_on_device 4 ""
fi

# Doubles, where the device has them.
if result 1 device_0 8 "" "" "-DDOUBLES"; then
    everywhere 8 -DDOUBLES
    [ "$fma" -eq 0 ] || allowed 8 -DDOUBLES
else
    grep -q 'kernel-build' made || fail "doubles" made
    echo "the device has no doubles"
fi
echo "$same times the same bytes; $other times others, with contraction"
[ "$other" -gt 0 ] || echo "this processor has no fused a*b+c: that contraction is seen could not be tried"
