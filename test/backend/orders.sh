#!/usr/bin/env bash
# The conformance suite on the stand-in for CUDA, with other orders of commands, devices that are no peers, a device alone,
# and none. What each of them says is in test/cuda/standin/standin.h.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

use_standin || skip "no stand-in for CUDA, no compiler of C++, or ThreadSanitizer, which it is not for"
export DAL_TEST_DEVICE=CUDA DAL_KERNEL_CACHE=off

# suites STATUS VARIABLE...: the suite has this exit status
suites() {
    local status=$1
    shift
    export "${@?}"
    run "$status" "$build/test/backend/test_backend"
    unset "${@%%=*}"
}

suites 0 DAL_STANDIN_SEED=2 DAL_STANDIN_PEERS=0
[ "$(grep -c '^Suite: CUDA ' output)" = 2 ] || fail "not two devices" output
suites 0 DAL_STANDIN_SEED=3 DAL_STANDIN_DEVICES=1
[ "$(grep -c '^Suite: CUDA ' output)" = 1 ] || fail "not one device" output
suites 77 DAL_STANDIN_DEVICES=0
expect "CUDA: no device was tried" output
DAL_CUDA_DRIVER=off suites 77 DAL_STANDIN_DEVICES=2
echo "two devices that are no peers, one device, none, and no driver"
