#!/usr/bin/env bash
# How programs end when they are not left alone: a full disk is told of with the file's name and the
# reason, and leaves whole frames; a signal in the middle of an endless video leaves whole frames, as
# many as the program says; a second signal ends it at once, with an error.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

app=$source/apps/mjpeg
"$dalinfo" --architecture -o machine.xml
has_device machine.xml || fail "no OpenCL device"

into_full() {
    "$@" >/dev/full
}

# ---- hello: standard output ---------------------------------------------------------------------

for mapping in cores opencl; do
    synthesise -o hello "$source/apps/hello/hello.xml" machine.xml "$source/apps/hello/map-$mapping.xml"
    run 1 into_full hello/hello
    expect "standard output cannot be written: No space left on device" messages
    run 1 into_full hello/hello -p Producer.pairs=1000000000
    expect "process Consumer: standard output: No space left on device" messages
done

# What the parent ignores is ignored while a driver compiles, too: LLVM has handlers of its own within it.
for delay in 0.1 0.2 0.3; do
    env --ignore-signal=INT DAL_KERNEL_CACHE=off POCL_CACHE_DIR="$(mktemp -d "$work/XXXXXX")" hello/hello >output 2>messages &
    running=$!
    sleep $delay
    kill -INT $running 2>/dev/null || true
    ended
    [ $status -eq 0 ] || fail "SIGINT was ignored, and ends a program that compiles" messages
done

# ---- mjpeg: files --------------------------------------------------------------------------------

width=161 height=97 frames=23
pixels=$((width * height))
video_frame=$((6 + 2 * pixels)) # "FRAME", a newline, two pictures
"$build/apps/mjpeg/mkvideo" -s ${width}x$height -n $frames clip.mjpeg
run 0 "$build/apps/mjpeg/reference" $width $height clip.mjpeg expected

# whole_dump FILE FRAMES: so many frames, the first ones as they should be
whole_dump() {
    local bytes=$((2 * pixels * $2)) known=$((2 * pixels * ($2 < frames ? $2 : frames)))
    [ "$(stat -c %s "$1")" -eq $bytes ] || fail "$1 has $(stat -c %s "$1") bytes, not $2 frames" messages
    cmp -n $known "$1" expected || fail "$1 has other frames"
}

# whole_video FILE FRAMES: a header, and a frame wherever one must begin
whole_video() {
    local header
    header=$(head -n 1 "$1" | wc -c)
    [ "$(stat -c %s "$1")" -eq $((header + $2 * video_frame)) ] ||
        fail "$1 has $(stat -c %s "$1") bytes, not $2 frames" messages
    LC_ALL=C grep -aobF FRAME "$1" | LC_ALL=C awk -F: -v header="$header" -v step=$video_frame -v frames="$2" '
        $1 >= header && ($1 - header) % step == 0 { found++ }
        END { exit found != frames }' || fail "$1: a frame does not begin where it must"
}

# frames_told: how many frames the program says there were
frames_told() {
    tr '\r' '\n' <messages | sed -n 's/^\([0-9]*\) frames in .*/\1/p' | tail -n 1
}

full_disk() { # NAME
    local target
    for target in dump output; do
        run 1 "$1/mjpeg" -p Split.input=clip.mjpeg -p Split.loop=0 \
            -p Screen.$target=/dev/full
        expect "process Screen: /dev/full cannot be written: No space left on device" messages
        rm -f file
        # A limit that ends in the middle of a frame, in blocks of 1024 bytes; a device compiler needs some.
        run 1 bash -c 'trap "" XFSZ; ulimit -f 3000; exec "$@"' - \
            "$1/mjpeg" -p Split.input=clip.mjpeg -p Split.loop=0 -p Screen.$target=file
        expect "process Screen: file cannot be written: File too large" messages
        expect "file holds 98 whole frames" messages
        "whole_$([ $target = dump ] && echo dump || echo video)" file 98
    done
}

start_endless() { # NAME OPTION...
    start "$1/mjpeg" -p Split.input=clip.mjpeg -p Split.loop=0 "${@:2}"
}

has_grown() { # FILE BYTES
    [ -e "$1" ] && [ "$(stat -c %s "$1")" -ge "$2" ]
}

interrupted() { # NAME SIGNAL
    local told
    rm -f dump video
    start_endless "$1" -p Screen.dump=dump -p Screen.output=video
    until_so has_grown video $((3 * video_frame))
    kill -"$2" $running
    ended
    [ $status -eq 0 ] || fail "$1, SIG$2: exit status $status" messages
    told=$(frames_told)
    [ "${told:-0}" -ge 3 ] || fail "$1, SIG$2: ${told:-no} frames told of" messages
    whole_dump dump "$told"
    whole_video video "$told"
    "$build/apps/mjpeg/contact-sheet" dump $width $height sheet.png >/dev/null || fail "no contact sheet"
    echo "$1, SIG$2: $told whole frames"
}

# A pipe that nobody reads keeps the network from draining until the second signal has come.
aborted() { # NAME
    rm -f pipe
    mkfifo pipe
    start_endless "$1" -p Screen.dump=pipe
    exec 3<pipe
    head -c $pixels <&3 >/dev/null
    kill -INT $running
    kill -TERM $running
    while grep -E '^(SigPnd|ShdPnd):' /proc/$running/status | grep -q '[1-9a-f]$\|[1-9a-f]0*$'; do
        sleep 0.02
    done
    cat <&3 >/dev/null
    exec 3<&-
    ended
    [ $status -eq 1 ] || fail "$1, two signals: exit status $status" messages
    expect "network mjpeg ended early: interrupted" messages
}

for mapping in core0 opencl; do
    synthesise -o $mapping -D width=$width -D height=$height "$app/mjpeg.xml" machine.xml "$app/map-$mapping.xml"
    full_disk $mapping
    interrupted $mapping INT
    interrupted $mapping TERM
    aborted $mapping
done
echo "2 mappings end as they should"
