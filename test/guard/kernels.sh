#!/usr/bin/env bash
# dalsynth --guard, for kernels: one that writes beside its tokens, or to its input, is named, with port, firing and distance, and the program
# ends with 1. One that does nothing wrong has the same bytes. On OpenCL, and on CUDA.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp "$input"/* .
devices=()
run 0 "$dalinfo" --architecture
! has_device output || devices+=(device)
! use_cuda || devices+=(cuda)
[ ${#devices[@]} -gt 0 ] || skip "no device"
architecture core_0 "${devices[@]/%/_0}" >machine.xml
mapping "* - core_0" >cores.xml

# A second kernel behind the faulty one, so that both may be a group.
cat >add.cl <<'END_CL'
__kernel void add(__global const int *in, __global int *out)
{
    out[get_global_id(0)] = in[get_global_id(0)] + 1;
}
END_CL
cat >add.c <<'END_C'
#include "dal.h"
int add_fire(DALProcess *p)
{
    int tokens[100];
    DAL_read(PORT_in, tokens, sizeof(tokens), p);
    for (int i = 0; i < 100; i++)
        tokens[i]++;
    DAL_write(PORT_out, tokens, sizeof(tokens), p);
    return 0;
}
END_C
sed -e 's|source="windows.c"|source="copied.c copied.cl" stateless="true" dataparallelism="100" shadowcopies="5"|' \
    -e '/name="Sink"/i <process name="Add" source="add.c add.cl" stateless="true" dataparallelism="100" shadowcopies="5"/>' \
    -e '/from="Faulty.out"/{h;s/Sink/Add/p;g;s/Faulty/Add/}' guard.xml >kernels.xml
sed '/kept/d; s/windows_fire/copied_fire/' windows.c >copied.c
synthesise -o plain kernels.xml machine.xml cores.xml
run 0 plain/guard
mv output wanted
[ -s wanted ] || fail "nothing comes out"

# Lines: HOW, and what is said of process Faulty.
cat >faults <<'END'
1 firing 7 writes to port bytes, 100 bytes behind the end of its window of 100 bytes
2 firing 7 writes to port out, 12 bytes behind the end of its window of 400 bytes
3 firing 7 writes to port out, 39604 bytes behind the end of its window of 400 bytes
4 firing 7 writes to port out, 8 bytes before its window of 400 bytes
6 firing 7 writes to port in, an input, at byte 13 of its window of 400 bytes
7 firing 7 writes to port in, 8 bytes behind the end of its window of 400 bytes
9 firing 64 writes to port bytes, 4 bytes before its window of 100 bytes
END
# The same of process Keep, whose state is changed in place.
cat >kept <<'END'
1 firing 7 writes to port after, 4 bytes behind the end of its window of 4 bytes
2 firing 7 writes to port after, 8 bytes before its window of 4 bytes
END
for device in "${devices[@]}"; do
    mapping "* 0 core_0" "Keep 1 ${device}_0" "Faulty 1 ${device}_0 group=\"yes\"" "Add 1 ${device}_0 group=\"yes\"" >mapping.xml
    run 0 "$dalsynth" --check --explain kernels.xml machine.xml mapping.xml
    expect "a work-group keeps the tokens" output
    # A group would hide what is between its processes, so none is made.
    synthesise -o guarded --guard --explain kernels.xml machine.xml mapping.xml
    expect "Add is not launched with what it reads from: windows are watched" made
    run 0 guarded/guard
    cmp -s output wanted || fail "$device: other bytes" output messages
    while read -r how words; do
        run 1 guarded/guard -p Faulty.how="$how"
        expect "guard: error: process Faulty: $words (kernels.xml:3)" messages
    done <faults
    while read -r how words; do
        run 1 guarded/guard -p Keep.how="$how"
        expect "guard: error: process Keep: $words (kernels.xml:" messages
    done <kept
done
DAL_TRANSFER_QUEUES=1 run 0 guarded/guard
cmp -s output wanted || fail "other bytes with queues for transfers" messages
echo "$0: all good on ${devices[*]}"
