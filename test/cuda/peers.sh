#!/usr/bin/env bash
# Applications on one device of CUDA and on two: the same bytes as on a core, whether the two reach each other's memory or
# not, in any order that streams and events allow, with graphs and without. On the stand-in, which tells of what only a
# wrong program does.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

[ -n "${DAL_STANDIN_CXX:-}" ] || command -v g++ clang++ c++ >/dev/null || skip "a compiler of C++ is missing"
use_standin || fail "the stand-in for CUDA cannot be used"
export OCL_ICD_VENDORS=/nowhere

# The devices are cuda_0 and cuda_1.
"$dalinfo" --architecture -o arch.xml
[ "$(grep -c 'capability name="CUDA"' arch.xml)" -eq 2 ] || fail "not two devices of CUDA" arch.xml

# quiet COMMAND...: it ends well, and the stand-in has nothing to say of it.
quiet() {
    run 0 "$@"
    ! grep "stand-in for CUDA" messages || fail "misuse by $*" messages
}

# same FILE COMMAND...: what the command writes to FILE is what FILE.expected has, whatever the machine.
same() {
    local file=$1 peers seed
    shift
    for peers in 0 1; do
        for seed in 1 2; do
            export DAL_STANDIN_PEERS=$peers DAL_STANDIN_SEED=$seed
            quiet "$@"
            cmp "$file" "$file.expected" || fail "other bytes, peers=$peers seed=$seed: $*" messages
        done
    done
    DAL_CUDA_GRAPHS=0 quiet "$@"
    cmp "$file" "$file.expected" || fail "other bytes without graphs: $*" messages
    passed=$((passed + 1))
}

# ---- the MJPEG pipeline, from portable sources ---------------------------------------------------------------

mjpeg=$source/apps/mjpeg
"$build/apps/mjpeg/mkvideo" -s 161x97 -n 31 small
run 0 "$build/apps/mjpeg/reference" 161 97 small dump.expected
for second in cuda_0 cuda_1; do
    mapping "* 0 core_0" "Gauss 2 cuda_0" "Sobel 2 $second" "Opticalflow 2 cuda_0" >map.xml
    rm -rf program
    synthesise -o program -D width=161 -D height=97 "$mjpeg/mjpeg.xml" arch.xml map.xml
    same dump program/mjpeg --strict -p Split.input=small -p Screen.dump=dump
done
# `program` is on two devices now. Tokens stay where they are made, or go through the host.
for peers in 0 1; do
    DAL_STANDIN_PEERS=$peers DAL_STATS=1 quiet program/mjpeg -p Split.input=small
    kinds=(staged context)
    grep -qE "^edges +${kinds[peers]} " messages || fail "edges are not ${kinds[peers]}" messages
done
# A driver that says that there are peers, and then refuses them, has them go through the host as well.
echo 'int cuCtxEnablePeerAccess(void *peer, unsigned flags) { (void)peer; (void)flags; return 711; }' >refuses.c
${CC:-cc} -shared -fPIC -Wl,--no-as-needed -o librefuses.so refuses.c "$DAL_CUDA_DRIVER" -Wl,-rpath,"$(dirname "$DAL_CUDA_DRIVER")"
DAL_CUDA_DRIVER=$work/librefuses.so DAL_STANDIN_PEERS=1 DAL_STATS=1 quiet program/mjpeg -p Split.input=small -p Screen.dump=dump
cmp dump dump.expected || fail "other bytes without peers" messages
expect 'note: GPU_4318_Stand-inforCUDA_DEV1: cuCtxEnablePeerAccess: ' messages
grep -qE "^edges +staged " messages || fail "edges are not staged" messages
rm -rf program

# ---- the photon counter, from OpenCL C with local memory and atomics ----------------------------------------

photon=$source/apps/photon
size="-D width=96 -D height=48"
"$build/apps/photon/mkphoton" -w 96 -h 48 shared
# shellcheck disable=SC2086 # words
synthesise -o calibrate $size "$photon/calibrate.xml" arch.xml "$photon/map-calibrate.xml"
run 0 calibrate/calibrate --strict -p Darks.input=shared.dark -p Keep.gains=shared.gains -p Keep.output=calibration
count() { # PROGRAM: its image and its list, in one file
    "$1" --strict -p Source.input=shared.frames -p Source.calibration=calibration -p Sink.image=image -p Sink.list=list &&
        cat image list >both
}
# shellcheck disable=SC2086 # words
synthesise -o core0 $size "$photon/photon.xml" arch.xml "$photon/map-core0.xml"
run 0 count core0/photon
mv both both.expected
for second in cuda_0 cuda_1; do
    mapping "* 0 core_0" "Correct 1 cuda_0" "Count 1 $second" "Cluster 1 $second" >map.xml
    # shellcheck disable=SC2086 # words
    synthesise -o program $size "$photon/photon.xml" arch.xml map.xml
    same both count program/photon
    rm -rf program
done

echo "$passed programs: the same bytes"
