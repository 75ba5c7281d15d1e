#!/usr/bin/env bash
# Channels that keep the newest token alone, with kernels at one end or both: what is read, lost and counted; and that a record
# is the same run again wherever its ends are. Devices are PoCL's, with memory of their own or not, and the stand-in for CUDA's.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp "$input"/* .
POCL_DEVICES=$(two_devices)
[ -n "$POCL_DEVICES" ] || skip "PoCL makes no two devices"
export POCL_DEVICES CFLAGS=-O1
use_standin || true
"$dalinfo" --architecture -o here.xml
{
    architecture core_0 core_1 | grep -v '^</'
    sed -n '/name="\(device\|cuda\)_[01]" type/,/<\/processor>/p' here.xml | grep -v '<port ' | sed 's/ id="[0-9]*"//'
    echo '</architecture>'
} >arch.xml

# The processors of Render and See.
ends=("core_0 core_1" "core_0 device_0" "device_0 core_1" "device_0 device_0" "device_0 device_1")
! grep -q 'name="cuda_0" type' arch.xml || ends+=("core_0 cuda_0" "cuda_0 core_1" "cuda_0 device_0")
bound() { # PROCESSES PROCESSOR: with the source for it
    echo "$1 $([[ $2 == core* ]] && echo 0 || echo 1) $2"
}
for at in "${ends[@]}"; do
    read -r render see <<<"$at"
    mapping "$(bound 'Render_*' "$render")" "$(bound 'See_*' "$see")" "* - core_0" >map.xml
    synthesise --strict --explain -o "$render.$see" frames.xml arch.xml map.xml
    [[ $render == core* ]] || expect ", once a launch of Render_0 has come to the host" made
    [[ $see == core* ]] || expect ", as a launch of See_0 begins" made
done

# What a program has written, in the file `written`, and what its statistics say. Of 300 frames, the last one is read.
is_right() {
    sort -s -k 1,1 output >written
    python3 - written stats.json <<'END' || fail "$program: what is read or counted is wrong" written stats.json
import json, sys
counts = {c['channel']: c for c in json.load(open(sys.argv[2]))['channels']}
for channel, index in ('Frames', '0'), ('Again', '1'):
    read = [int(line.split()[1]) for line in open(sys.argv[1]) if line.startswith(index)]
    tokens, c = len(set(read)), counts[channel]
    assert read == sorted(read) and read[0] >= 0 and read[-1] == 299 # torn: -1
    assert c['kind'] == 'newest' and c['tokens'] == len(read) and c['space_waits'] == 0
    assert c['lost'] == 300 - tokens and c['repeated'] == len(read) - tokens
    assert tokens == len(read) or channel == 'Again'
    assert 0 <= c['oldest_ns'] <= c['age_ns']
END
}

# Each program makes a record. The next one repeats it, and the one on cores.
tries=0
for mask in "" fine_svm "unified fine_svm"; do
    export DAL_TEST_MASK=$mask
    for ((i = 0; i < ${#ends[@]}; i++)); do
        program=${ends[i]/ /.} next=${ends[(i + 1) % ${#ends[@]}]/ /.}
        for nap in 0 300; do
            DAL_STATS=./stats.json DAL_RECORD=record run 0 "$program/frames" -p Count.nap_us=$nap
            is_right
            for other in "$next" core_0.core_1; do
                DAL_REPLAY=record DAL_RECORD=again run 0 "$other/frames"
                sort -s -k 1,1 output | cmp - written || fail "a replay of $program has other bytes on $other"
                sort record >wanted
                sort again | cmp - wanted || fail "a replay of $program has another record on $other"
            done
            tries=$((tries + 1))
        done
        # A reader that ends before the writer.
        run 0 "$program/frames" -p Tell_1.count=5 -p Count.nap_us=100
        [ "$(grep -c '^1 ' output)" -eq 5 ] || fail "$program: a reader that ends goes on" output
        [ "$(grep '^0 ' output | tail -n 1)" = "0 299" ] || fail "$program: the other ends, too" output
    done
done
# Without their devices, kernels are run as C.
OCL_ICD_VENDORS=$work DAL_REPLAY=record run 0 device_0.device_1/frames
expect "process Render_1 cannot run on device_0" messages
sort -s -k 1,1 output | cmp - written || fail "a replay has other bytes without devices"
echo "$tries runs and twice as many replays"
