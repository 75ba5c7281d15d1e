#!/usr/bin/env bash
# The kernels of all applications in a simulator that finds races between work-items, accesses
# outside of buffers and wrong arguments of calls: it has nothing to say of them, and the output is
# that of other mappings. A race and an overrun that are put into one are found.
#
# Its check for values that were never written is left off: version 21.10 crashes with it.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

simulator vendors || skip "Oclgrind is missing (Debian's package oclgrind)"
export OCL_ICD_VENDORS=$work/vendors
export OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1 OCLGRIND_LOG=$work/findings

"$dalinfo" --architecture -o machine.xml
grep -q 'Oclgrind.*_DEV1"' machine.xml || fail "the simulator is not among the devices" machine.xml

# program NETWORK.xml OUTPUT [-D VARIABLE=VALUE]... -- OPTION...: as mapping.xml says
program() {
    local network=$1 output=$2 defines=()
    shift 2
    while [ "$1" != -- ]; do
        defines+=("$1")
        shift
    done
    shift
    rm -f findings
    synthesise --strict -o program "${defines[@]}" "$network" machine.xml mapping.xml
    run 0 "program/$(basename "$network" .xml)" --strict "$@"
    cp output "$output"
}

clean() { # NAME
    [ ! -s findings ] || fail "$1: the simulator has found something" findings
    echo "clean: $1"
}

# hello
for items in 1 4; do
    mapping "* 0 core_0" "Square 0 device_0 workitems=\"$items\"" >mapping.xml
    program "$source/apps/hello/hello.xml" squares -- -p Producer.pairs=40
    [ "$(sed -n '81p' squares)" = 6400 ] || fail "hello: wrong squares" squares
    clean "hello, $items work-items"
done

# synthetic: the sum of what a C source on a core finds
for network in channel activation overhead; do
    kernel=$([ $network = overhead ] && echo 3 || echo 1)
    for lanes in 1 4 16; do
        set -- -D tokenbytes=256 -D capacity=4 -D items=4 -D lanes=$lanes -D work=2 -- -p Result.tokens=24
        mapping "* 0 core_0" >mapping.xml
        program "$source/apps/synthetic/$network.xml" expected "$@"
        mapping "Producer $kernel device_0" "Consumer $kernel device_0" "Result 0 core_0" >mapping.xml
        program "$source/apps/synthetic/$network.xml" found "$@"
        clean "$network, vectors of $lanes"
        for file in expected found; do
            sed 's/.* sum \([0-9a-f]*\) .*/\1/' $file >$file.sum
        done
        cmp expected.sum found.sum || fail "$network: another sum" expected found
    done
done

# mjpeg: sources for devices, and portable ones
width=40 height=24
"$build/apps/mjpeg/mkvideo" -s ${width}x$height -n 7 clip.mjpeg >/dev/null
"$build/apps/mjpeg/reference" $width $height clip.mjpeg expected >/dev/null 2>&1
for id in 1 2; do
    for items in 1 16; do
        target="device_0 shadowcopies=\"3\" workitems=\"$items\""
        mapping "* 0 core_0" "Gauss $id $target" "Sobel $id $target" "Opticalflow $id $target" >mapping.xml
        program "$source/apps/mjpeg/mjpeg.xml" printed -D width=$width -D height=$height -- \
            -p Split.input=clip.mjpeg -p Screen.dump=dump
        clean "mjpeg, sources $id, $items work-items"
        cmp dump expected || fail "mjpeg, sources $id, $items work-items: other bytes"
    done
done

# found NAME SED-SCRIPT TEXT: square.cl, changed, makes the simulator say this
found() {
    rm -rf hello
    cp -r "$source/apps/hello" hello
    chmod -R u+w hello
    sed -i "$2" hello/square.cl
    cmp -s hello/square.cl "$source/apps/hello/square.cl" && fail "$1: the change changes nothing"
    mapping "* 0 core_0" 'Square 0 device_0 workitems="4"' >mapping.xml
    program hello/hello.xml squares -- -p Producer.pairs=10
    grep -q "$3" findings || fail "$1 is not found" findings
    echo "found: $1"
}
found "a race" 's/if (get_local_id(0) == 0)/if (1)/; s/in\[firing\] \* in\[firing\]/in[firing] + (int)get_local_id(0)/' 'data race'
found "a write behind a buffer" 's/out\[firing\] =/out[firing + 1000000] =/' 'Invalid write'
found "a read before a buffer" 's/in\[firing\] \*/in[(long)firing - 1000000] */' 'Invalid read'
