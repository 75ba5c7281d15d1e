#!/usr/bin/env bash
# The video network for a long time, on cores and on a device, stopped and continued (SIGSTOP,
# SIGCONT) and ended (SIGTERM) at random moments: its memory stays as it is, and what it wrote is
# whole frames, those of the video again and again.
#
#     SOAK_SECONDS=N   how long for each of the two (4)
#     SOAK_SEED=N      of the random moments
set -euo pipefail

source=${DAL_SRCDIR:?}
build=${DAL_BUILDDIR:?}
app=$source/apps/mjpeg
seconds=${SOAK_SECONDS:-4}
RANDOM=${SOAK_SEED:-$$}
work=$(mktemp -d "${TMPDIR:-/tmp}/dal-soak.XXXXXX")
running='' reader=''
trap '[ -z "$running" ] || kill -KILL "$running" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work"

# A program's memory may grow by so much after its first seconds: allocators keep what they had.
more_kib=8192
[ -z "${DAL_SANITIZER:-}" ] || more_kib=$((1 << 20)) # a sanitizer keeps what was freed for a while
first_frames=200
width=161 height=97 frames=23
frame_bytes=$((2 * width * height))

fail() {
    echo "FAIL: $* (SOAK_SEED=${SOAK_SEED:-$$})"
    tail -n 20 messages 2>/dev/null
    exit 1
}

resident() { # KiB; nothing when it has ended
    sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' /proc/$running/status 2>/dev/null || true
}

frames_written() {
    [ ! -e messages ] || tr '\r' '\n' <messages | sed -n 's/^\([0-9]*\) frames, .*/\1/p' | tail -n 1
}

a_moment() { # MOST: sleeps for up to so many hundredths of a second
    local hundredths=$((1 + RANDOM % $1))
    sleep "$((hundredths / 100)).$(printf %02d $((hundredths % 100)))"
}

# compare: what comes through the pipe are the frames of the clip, for ever; tells how many bytes
compare() {
    "$build/test/mjpeg/whole_frames" expected $frame_bytes <pipe >compared 2>&1
}

# until_frames N: the program has written so many
until_frames() {
    local written
    until written=$(frames_written) && [ "${written:-0}" -ge "$1" ]; do
        kill -0 $running 2>/dev/null || fail "$name: it ended by itself"
        sleep 0.05
    done
}

# one_life SECONDS: runs for about so long, and ends
one_life() {
    local end=$((SECONDS + $1)) rounds=0 base now status=0 told
    rm -f messages compared
    env --default-signal=TERM "$name/mjpeg" -p Split.input=clip.mjpeg -p Split.loop=0 \
        -p Screen.progress=1 -p Screen.dump=pipe 2>messages &
    running=$!
    compare &
    reader=$!
    until_frames $first_frames
    base=$(resident)
    while [ $SECONDS -lt $end ] || [ $((rounds++)) -lt 3 ]; do
        a_moment 60
        kill -STOP $running || fail "$name: it ended by itself"
        a_moment 40
        kill -CONT $running
        now=$(resident)
        [ "${now:-0}" -le $((base + more_kib)) ] || fail "$name: $base KiB at first, $now KiB now"
        [ "${now:-0}" -le "${most:-0}" ] || most=$now
    done
    a_moment 100
    kill -TERM $running
    wait $running || status=$?
    running=
    wait $reader || fail "$name: $(cat compared)"
    told=$(tr '\r' '\n' <messages | sed -n 's/^\([0-9]*\) frames in .*/\1/p' | tail -n 1)
    [ $status -eq 0 ] || fail "$name: exit status $status"
    [ "$(cat compared)" = "${told:-none} frames" ] || fail "$name: ${told:-none} frames told of: $(cat compared)"
    all=$((all + told))
    lives=$((lives + 1))
}

"$build/tools/dalinfo" --architecture -o machine.xml
grep -q 'name="device_0"' machine.xml || fail "no OpenCL device"
"$build/apps/mjpeg/mkvideo" -s ${width}x$height -n $frames clip.mjpeg
"$build/apps/mjpeg/reference" $width $height clip.mjpeg expected >log 2>&1
[ "$(stat -c %s expected)" -eq $((frames * frame_bytes)) ] || fail "the reference: $(cat log)"
mkfifo pipe

for name in cores opencl; do
    "$build/synth/dalsynth" -o $name -D width=$width -D height=$height "$app/mjpeg.xml" machine.xml \
        "$app/map-$name.xml" >log 2>&1 || fail "$name: dalsynth: $(cat log)"
    all=0 lives=0 most=0 finish=$((SECONDS + seconds))
    while [ $lives -eq 0 ] || [ $SECONDS -lt $finish ]; do
        left=$((finish - SECONDS))
        one_life $((left < 20 ? (left > 0 ? left : 1) : 10 + RANDOM % (left > 300 ? 300 : left - 9)))
    done
    echo "$name: $all whole frames in $lives lives, at most $most KiB"
done
