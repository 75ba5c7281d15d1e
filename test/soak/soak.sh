#!/usr/bin/env bash
# Long lives of programs that are stopped and continued (SIGSTOP, SIGCONT) and ended (SIGTERM) at random moments: the
# video network and the photon counter, on cores and on a device, and random networks on random mappings, in turn. Memory
# stays as it is, and what was written is whole: frames, sums, clusters and tokens, those of an undisturbed run.
#
#     SOAK_SECONDS=N   how long for each of the turns (4)
#     SOAK_SEED=N      of the random moments and networks
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

seconds=${SOAK_SECONDS:-4}
RANDOM=${SOAK_SEED:=$$}
echo "SOAK_SEED=$SOAK_SEED"

# A program's memory may grow by so much after its first moments: allocators keep what they had.
more_kib=8192
[ -z "${DAL_SANITIZER:-}" ] || more_kib=$((1 << 20)) # a sanitizer keeps what was freed for a while

# ---- a life, whatever runs -------------------------------------------------------------------------------------------

resident() { # KiB; nothing when it has ended
    sed -n 's/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p' /proc/$running/status 2>/dev/null || true
}

a_moment() { # MOST: sleeps for up to so many hundredths of a second
    local hundredths=$((1 + RANDOM % $1))
    sleep "$((hundredths / 100)).$(printf %02d $((hundredths % 100)))"
}

# disturb SECONDS: stops and continues what runs for about so long, at least three times, and watches its memory
disturb() {
    local end=$((SECONDS + $1)) rounds=0 base now
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
}

# lives KIND: one after the other, until the time of this turn is over
lives() {
    local finish=$((SECONDS + seconds)) left count=0
    all=0 most=0
    while [ $count -eq 0 ] || [ $SECONDS -lt $finish ]; do
        left=$((finish - SECONDS))
        "life_of_$1" $((left < 20 ? (left > 0 ? left : 1) : 10 + RANDOM % (left > 300 ? 300 : left - 9)))
        count=$((count + 1))
    done
    echo "$name: $all whole $2 in $count lives, at most $most KiB"
}

# end_it: by SIGTERM, orderly
end_it() {
    kill -TERM $running
    ended
    [ $status -eq 0 ] || fail "$name: exit status $status" messages
}

# ---- video: whole frames, those of the video again and again ----------------------------------------------------------

width=161 height=97 frames=23
frame_bytes=$((2 * width * height))
first_frames=200

# frames_come N: the program has written so many frames
frames_come() {
    local written=''
    [ ! -e messages ] || written=$(tr '\r' '\n' <messages | sed -n 's/^\([0-9]*\) frames, .*/\1/p' | tail -n 1)
    [ "${written:-0}" -ge "$1" ]
}

life_of_video() { # SECONDS
    local told reader
    rm -f messages compared
    start "$name/mjpeg" -p Split.input=clip.mjpeg -p Split.loop=0 -p Screen.progress=1 -p Screen.dump=pipe
    "$build/test/mjpeg/whole_frames" expected $frame_bytes <pipe >compared 2>&1 &
    reader=$!
    until_so frames_come $first_frames
    disturb "$1"
    end_it
    wait $reader || fail "$name" compared messages
    told=$(tr '\r' '\n' <messages | sed -n 's/^\([0-9]*\) frames in .*/\1/p' | tail -n 1)
    [ "$(cat compared)" = "${told:-none} frames" ] || fail "$name: ${told:-none} frames told of: $(cat compared)"
    all=$((all + told))
}

video() {
    local app=$source/apps/mjpeg
    "$build/apps/mjpeg/mkvideo" -s ${width}x$height -n $frames clip.mjpeg
    "$build/apps/mjpeg/reference" $width $height clip.mjpeg expected >log 2>&1 || fail "the reference" log
    [ "$(stat -c %s expected)" -eq $((frames * frame_bytes)) ] || fail "the reference" log
    mkfifo pipe
    for name in cores opencl; do
        synthesise -o $name -D width=$width -D height=$height "$app/mjpeg.xml" machine.xml "$app/map-$name.xml"
        lives video frames
    done
}

# ---- photons: each file is the beginning of that of an undisturbed run ------------------------------------------------

# What is compared, and the bytes of one thing there: sums over 100 frames, clusters, the largest energy of each frame.
photon_width=96 photon_height=48
photon_files="most:$((4 * photon_width * photon_height)) list:24 largest:4"

count_photons() { # NAME LOOP: the words of the command that counts a recording so often into NAME.most and so on
    echo "-p Source.input=x.frames -p Source.calibration=x.calibration -p Source.loop=$2 -p Sink.image=$1.image" \
        "-p Sink.list=$1.list -p Record.most=$1.most -p Record.largest=$1.largest"
}

# begins FILE OTHER BYTES: is a file, behind its head of 32 bytes, whole things of so many bytes, and the beginning of the other?
begins() {
    local size
    size=$(($(stat -c %s "$1") - 32))
    [ $((size % $3)) -eq 0 ] || fail "$name: $1 has a part of a thing" messages
    cmp -n "$size" -i 32 "$1" "$2" >log 2>&1 || fail "$name: $1 is another one" log messages
    things=$((size / $3))
}

photons_come() {
    [ "$(stat -c %s made.largest 2>/dev/null || echo 0)" -gt 32 ]
}

life_of_photon() { # SECONDS
    local file things
    rm -f made.*
    # shellcheck disable=SC2046 # words
    start "$name/photon" $(count_photons made 1000000)
    until_so photons_come
    disturb $(($1 < 3 ? $1 : 3)) # its files are as long as that
    end_it
    for file in $photon_files; do
        extend "$(stat -c %s "made.${file%:*}")" "${file%:*}"
        begins "made.${file%:*}" "whole.${file%:*}" "${file#*:}"
    done
    all=$((all + things))
}

# extend BYTES KIND: the undisturbed run on one core is as long as that; each is twice as long as the one before
extend() {
    while [ "$(stat -c %s "whole.$2" 2>/dev/null || echo 0)" -lt "$1" ]; do
        loops=$((2 * loops))
        rm -f whole.*
        # shellcheck disable=SC2046 # words
        run 0 core0/photon $(count_photons whole $loops)
    done
}

photon() {
    local app=$source/apps/photon size="-D width=$photon_width -D height=$photon_height"
    run 0 "$build/apps/photon/mkphoton" -w $photon_width -h $photon_height -n 40 -k 30 x
    loops=100
    # shellcheck disable=SC2086 # words
    synthesise -o calibrate $size "$app/calibrate.xml" machine.xml "$app/map-calibrate.xml"
    run 0 calibrate/calibrate -p Darks.input=x.dark -p Keep.gains=x.gains -p Keep.output=x.calibration
    for name in core0 opencl; do
        rm -rf $name
        # shellcheck disable=SC2086 # words
        synthesise -o $name $size "$app/photon.xml" machine.xml "$app/map-$name.xml"
        lives photon "largest energies"
    done
}

# ---- networks drawn by chance: each stream is the beginning of that on one core -----------------------------------------

# lengthen LAPS: sets `lengths`, the options that let each source fire so many times as often as drawn
lengthen() {
    local process each iterations
    lengths=()
    while read -r process each _ iterations; do
        [ "$iterations" -eq 0 ] || lengths+=(-p "$process.firings=$((1 + each * iterations * $1))")
    done <lengths
}

# make_network SEED: in the folder of its name, program-0 on one core and program-1 on anything, the first one drawn that has
# no open ports; the undisturbed run is `whole`, which is lengthened until it has a megabyte, or enough
make_network() {
    local laps=1 drawn=1 each=("$devices")
    rm -rf "$name"
    mkdir -p "$name/whole"
    cd "$name"
    cp "$source"/test/determinism/input/*.[ch] .
    while [ ${#each[@]} -lt 16 ]; do each+=("$devices"); done
    "$build/test/determinism/random_network" "$1" . "$cores" "${each[@]}"
    while [ -s "ports-$drawn" ]; do drawn=$((drawn + 1)); done
    synthesise -o program-0 network-0.xml ../machine.xml map-0.xml
    synthesise -o program-1 "network-$drawn.xml" ../machine.xml "map-$drawn.xml"
    while lengthen $laps && (cd whole && run 0 ../program-0/network "${lengths[@]}") &&
        [ "$(cat whole/* | wc -c)" -lt 1000000 ] && [ $laps -lt 4096 ]; do
        laps=$((4 * laps))
    done
    in_parts
}

# in_parts: `lengths` for program-1, whose processes may be in parts of the network: their names have those in front.
in_parts() {
    local i name
    for ((i = 1; i < ${#lengths[@]}; i += 2)); do
        name=${lengths[i]%%.*}
        name=$(sed -n "s/^ *\.name = \"\([A-Z.]*$name\)\",$/\1/p;T;q" program-1/net.c)
        lengths[i]=$name.${lengths[i]#*.}
    done
}

streams_come() {
    [ -n "$(find made -name 'c*' -size +0)" ] || ! kill -0 $running 2>/dev/null
}

# It may come to its end before it is told to.
life_of_network() { # SECONDS
    local size other file end=$((SECONDS + $1)) rounds=0
    rm -rf made
    mkdir made
    (cd made && exec env --default-signal=INT,TERM ../program-1/network "${lengths[@]}" >output 2>messages) &
    running=$!
    until streams_come; do sleep 0.02; done
    while kill -STOP $running 2>/dev/null && { [ $SECONDS -lt $end ] || [ $((rounds++)) -lt 3 ]; }; do
        a_moment 20
        kill -CONT $running 2>/dev/null || true
        a_moment 30
    done
    kill -CONT $running 2>/dev/null && kill -TERM $running 2>/dev/null || true
    ended
    [ $status -eq 0 ] || fail "$name: exit status $status" made/messages
    rm made/output made/messages
    for file in made/*; do
        size=$(stat -c %s "$file")
        [ -e "whole/${file#*/}" ] || continue # a tap that the other one has not
        all=$((all + size))
        other=$(stat -c %s "whole/${file#*/}")
        cmp -n $((size < other ? size : other)) "$file" "whole/${file#*/}" >log 2>&1 || fail "$name: $file is another one" log
    done
}

networks() {
    local finish=$((SECONDS + seconds)) cores devices lengths=() count=0
    cores=$(grep -c 'name="core_[0-9]*" type' machine.xml)
    devices=$(grep -c 'name="device_[0-9]*" type' machine.xml)
    all=0
    while [ $count -eq 0 ] || [ $SECONDS -lt $finish ]; do
        name=network-$((RANDOM << 15 | RANDOM))
        make_network "${name#*-}"
        life_of_network 3
        cd ..
        rm -rf "$name"
        count=$((count + 1))
    done
    echo "networks: $all bytes of streams in $count of them"
}

# ---- all of them -------------------------------------------------------------------------------------------------------

"$dalinfo" --architecture -o machine.xml
has_device machine.xml || fail "no OpenCL device"
video
photon
networks
