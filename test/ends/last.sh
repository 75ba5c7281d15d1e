#!/usr/bin/env bash
# The last tokens of a process that ends in the middle of what it was fired for: they arrive, wherever in a ring they lie.
# Lengths are such that they lie behind a ring's end, in its tail (rt/base/shape.h).
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

"$dalinfo" --architecture -o machine.xml
has_device machine.xml || fail "no OpenCL device"
mapping '*S - core_0' '*P - core_0' '*E - core_0' '*C - core_0' '*D - core_0' \
    '*G - device_0 shadowcopies="9" group="no"' >mapping.xml
synthesise -o program "$input/last.xml" machine.xml mapping.xml

# arrive WHAT NUMBERS RATE [INITIAL]: so many numbers, behind seven initial ones, as far as firings of RATE take them
arrive() {
    expect "$1: $((($2 + ${4:-7}) / $3 * $3)) numbers, 0 wrong" output
}

# ended_by FIRINGS PROCESS: a source ends with that firing, also where that is in the middle of a cycle; in the group,
# this process does
ended_by() {
    local all=$((6 * $1)) part=$((6 * $1 - 2)) more=$((6 * $1 + 102))
    run 0 program/last --strict -p PlainS.n=$all -p PhasesS.n=$part -p ByPhaseS.n=$part \
        -p GroupedS.n=$more -p "$2.n=$all"
    arrive "plain, device" $all 4
    arrive "plain, core" $all 3
    arrive "phases, device" $part 4
    arrive "by phase, device" $part 4
    arrive "grouped, device" "$([ "$2" = GroupedE ] && echo $more || echo $all)" 4
    arrive "grouped, aside" $all 6 0
}

runs=0
for process in GroupedP GroupedE; do
    for firings in 324 {326..328} {374..377} 420 421; do
        ended_by "$firings" $process
        runs=$((runs + 1))
    done
done
echo "$runs runs, all numbers"
