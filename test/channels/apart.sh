#!/usr/bin/env bash
# Every kind of channel between two devices, which share memory or say that they do not: PoCL's two, whose answers are masked.
set -euo pipefail

. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
suite=$build/test/channels/test_channels runs=0
# All rounds are those of the suite itself, and by hand.
[ "${DAL_TEST_STRIDE:-1}" -le 1 ] || export DAL_TEST_ROUNDS=${DAL_TEST_ROUNDS:-130}
for devices in "pthread pthread" "pthread basic" "cpu cpu" "cpu cpu-minimal"; do # their names differ between versions
    POCL_DEVICES=$devices "$dalinfo" --architecture 2>/dev/null | grep 'name="device_1" type' >/dev/null || continue
    for mask in "" unified fine_svm "unified fine_svm" "unified foreign_events"; do
        POCL_DEVICES=$devices DAL_TEST_MASK=$mask "$suite" >printed 2>&1 ||
            fail "POCL_DEVICES=\"$devices\", DAL_TEST_MASK=\"$mask\"" printed
        runs=$((runs + 1))
    done
done
[ $runs != 0 ] || skip "PoCL makes no two devices"
echo "$runs runs"
