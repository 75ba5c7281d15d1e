#!/usr/bin/env bash
# Floating point gives the same bytes everywhere: one process as C, as a kernel and as a portable source
# of both, compiled for any x86 and for this very processor. And it would be seen if it did not: with
# contraction allowed, by attribute, by option or by pragma, the bytes are others.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp "$input"/* .
"$dalinfo" --architecture -o architecture.xml
has_device architecture.xml || fail "no OpenCL device: there is nothing to compare with"


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
  $(channel numbers Source out Calc in)
  $(channel results Calc out Sink in "tokensize=\"$1\"")
</processnetwork>
END
}

# result SOURCE PROCESSOR NETWORK-ARGUMENT...: what the program prints goes to `result`
result() {
    local id=$1 processor=$2
    shift 2
    network "$@" >network.xml
    mapping "* - core_0" "Calc $id $processor" >mapping.xml
    "$dalsynth" --strict -o out network.xml architecture.xml mapping.xml >made 2>&1 || return 1
    out/float --strict >result || fail "source $id on $processor with $*: exit status $?" made
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
