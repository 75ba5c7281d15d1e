#!/usr/bin/env bash
# The video network for a long time, on cores and on a device, stopped and continued (SIGSTOP,
# SIGCONT) and ended (SIGTERM) at random moments: its memory stays as it is, and what it wrote is
# whole frames, those of the video again and again.
#
#     SOAK_SECONDS=N   how long for each of the two (4)
#     SOAK_SEED=N      of the random moments
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

app=$source/apps/mjpeg
seconds=${SOAK_SECONDS:-4}
RANDOM=${SOAK_SEED:=$$}
echo "SOAK_SEED=$SOAK_SEED"

# A program's memory may grow by so much after its first seconds: allocators keep what they had.
more_kib=8192
[ -z "${DAL_SANITIZER:-}" ] || more_kib=$((1 << 20)) # a sanitizer keeps what was freed for a while
first_frames=200
width=161 height=97 frames=23
frame_bytes=$((2 * width * height))

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

# have_come N: the program has written so many frames
have_come() {
    local written
    written=$(frames_written)
    [ "${written:-0}" -ge "$1" ]
}

# one_life SECONDS: runs for about so long, and ends
one_life() {
    local end=$((SECONDS + $1)) rounds=0 base now told reader
    rm -f messages compared
    start "$name/mjpeg" -p Split.input=clip.mjpeg -p Split.loop=0 -p Screen.progress=1 -p Screen.dump=pipe
    "$build/test/mjpeg/whole_frames" expected $frame_bytes <pipe >compared 2>&1 &
    reader=$!
    until_so have_come $first_frames
    base=$(resident)
    while [ $SECONDS -lt $end ] || [ $((rounds++)) -lt 3 ]; do
        a_moment 60
        kill -STOP $running || fail "$name: it ended by itself" messages
        a_moment 40
        kill -CONT $running
        now=$(resident)
        [ "${now:-0}" -le $((base + more_kib)) ] || fail "$name: $base KiB at first, $now KiB now"
        [ "${now:-0}" -le "${most:-0}" ] || most=$now
    done
    a_moment 100
    kill -TERM $running
    ended
    wait $reader || fail "$name" compared messages
    told=$(tr '\r' '\n' <messages | sed -n 's/^\([0-9]*\) frames in .*/\1/p' | tail -n 1)
    [ $status -eq 0 ] || fail "$name: exit status $status" messages
    [ "$(cat compared)" = "${told:-none} frames" ] || fail "$name: ${told:-none} frames told of: $(cat compared)"
    all=$((all + told))
    lives=$((lives + 1))
}

"$dalinfo" --architecture -o machine.xml
has_device machine.xml || fail "no OpenCL device"
"$build/apps/mjpeg/mkvideo" -s ${width}x$height -n $frames clip.mjpeg
"$build/apps/mjpeg/reference" $width $height clip.mjpeg expected >log 2>&1 || fail "the reference" log
[ "$(stat -c %s expected)" -eq $((frames * frame_bytes)) ] || fail "the reference" log
mkfifo pipe

for name in cores opencl; do
    synthesise -o $name -D width=$width -D height=$height "$app/mjpeg.xml" machine.xml "$app/map-$name.xml"
    all=0 lives=0 most=0 finish=$((SECONDS + seconds))
    while [ $lives -eq 0 ] || [ $SECONDS -lt $finish ]; do
        left=$((finish - SECONDS))
        one_life $((left < 20 ? (left > 0 ? left : 1) : 10 + RANDOM % (left > 300 ? 300 : left - 9)))
    done
    echo "$name: $all whole frames in $lives lives, at most $most KiB"
done
