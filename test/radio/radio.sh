#!/usr/bin/env bash
# The receiver: its sound against the tones that were sent and against the double-precision reference, the same bytes on
# every mapping, and what it refuses.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

app=$source/apps/radio
tools=$build/apps/radio

pkg-config --exists sndfile || skip "libsndfile is missing (Debian package: libsndfile1-dev)"

# at_least WHAT DECIBELS: in the `output` of listen
at_least() {
    awk -v what="$1 " -v least="$2" 'index($0, what) == 1 { found = 1; exit !($(NF - 1) >= least) }
        END { if (!found) exit 1 }' output || fail "$1: less than $2 dB" output
}

# level TONE DECIBELS: within 0.15
level() {
    awk -v tone="$1 Hz " -v wanted="$2" 'index($0, tone) == 1 { found = 1; d = $(NF - 1) - wanted; exit !(d * d < 0.0225) }
        END { if (!found) exit 1 }' output || fail "$1 Hz: not $2 dB" output
}

# receive FOLDER [ARGUMENT]...: sound.wav, of 32 bits; the folder was synthesised
receive() {
    run 0 "$1/radio" --strict -p Source.input=air.cu8 -p Sink.output=sound.wav -p Sink.format=32 "${@:2}"
}

# same NAME ARCHITECTURE [OPTION...]: synthesises radio.xml with NAME.xml and compares the bytes with those of the loop,
# as far as both go: each fills its last blocks with silence
same() {
    local bytes
    synthesise -o program "${@:3}" "$app/radio.xml" "$2" "$1.xml"
    receive program
    bytes=$(stat -c %s sound.wav wanted | sort -n | head -n 1)
    tail -c "+$(($(data_at sound.wav) + 1))" sound.wav >sound
    cmp -n $((bytes - 4096)) sound wanted || fail "$1: other bytes" made messages
    passed=$((passed + 1))
    echo "same bytes: $1"
    rm -rf program
}

data_at() { # FILE: where the sound begins in a WAV file
    local head
    head=$(head -c 256 "$1" | LC_ALL=C grep -aobF data | head -n 1)
    echo $((${head%%:*} + 8))
}

"$tools/mktaps" | cmp - "$app/taps.h" || fail "taps.h is not what mktaps writes"

"$dalinfo" --architecture -o one.xml
cores=$(grep -c 'name="core_[0-9]*" type' one.xml)
second=core_$((cores > 1 ? 1 : 0))

# ---- what comes out is what was sent ---------------------------------------------------------------------

run 0 "$tools/mkradio" -s 1.2 air.cu8
run 0 "$tools/reference" air.cu8 reference
run 0 "$tools/loop" 1 air.cu8 wanted
synthesise -o core0 "$app/radio.xml" one.xml "$app/map-core0.xml"
receive core0
! grep "no pilot" messages || fail "a pilot is not found" messages
run 0 "$tools/listen" sound.wav reference
cat output
at_least "reference SNR" 120
at_least "left SNR" 37
at_least "right SNR" 37
at_least "left separation" 60
at_least "right separation" 60
level "left 400" -9.12
level "left 3000" -16.48
level "right 1000" -7.96
level "right 10000" -26.02

run 0 core0/radio -p Source.input=air.cu8 -p Sink.output=short.wav
run 0 "$tools/listen" short.wav reference
at_least "reference SNR" 80

run 0 "$tools/mkradio" -s 1.2 -m mono.cu8
run 0 core0/radio -p Source.input=mono.cu8 -p Sink.output=mono.wav
expect "no pilot: " messages
run 0 "$tools/listen" -l 400,3000,1000,10000 -r '' mono.wav
at_least "left SNR" 53

# ---- the same bytes on every mapping ---------------------------------------------------------------------

cp "$app/map-$([ "$cores" -gt 1 ] && echo two-cores || echo cores).xml" several.xml
same several one.xml -D block=96
mapping "* 0 core_0" "Tune 2 core_0" "Discriminate 2 $second" "Resample 2 core_*" "Stereo 0 $second" >portable-cores.xml
same portable-cores one.xml
if has_device one.xml; then
    cp "$app/map-opencl.xml" opencl.xml
    same opencl one.xml
    cp "$app/map-front.xml" front.xml
    same front one.xml -D block=96
    mapping "* 0 core_0" "Tune 2 device_0" "Discriminate 2 device_0" "Resample 2 device_0" >portable-device.xml
    same portable-device one.xml
else
    echo "no OpenCL device: the kernels are not tried"
fi

# ---- what it refuses -------------------------------------------------------------------------------------

refused() { # TEXT ARGUMENT...
    run 1 core0/radio "${@:2}"
    expect "$1" messages
    passed=$((passed + 1))
}
: >empty.cu8
head -c 1001 air.cu8 >odd.cu8
cat air.cu8 air.cu8 | tr '\200-\377' '\0-\177' >garbled.cu8
run 0 core0/radio -p Source.input=garbled.cu8
expect "no pilot: " messages
head -c 100000 air.cu8 >short.cu8
run 0 core0/radio -p Source.input=short.cu8 # 50000 samples are two cycles of 49152
expect "0.096 s of sound" messages
refused "no file: -p Source.input=FILE names one"
refused "none.cu8: No such file" -p Source.input=none.cu8
refused "empty.cu8 has no samples" -p Source.input=empty.cu8
refused "odd.cu8: its last sample is half a one" -p Source.input=odd.cu8
refused "short.wav is a WAV file" -p Source.input=short.wav
refused "loop is how often the file is played, or 0, not -1" -p Source.input=air.cu8 -p Source.loop=-1
refused 'parameter loop is "x", not an integer' -p Source.input=air.cu8 -p Source.loop=x
! grep "no file" messages || fail "a second error" messages
[ ! -e /dev/full ] || refused "/dev/full" -p Source.input=air.cu8 -p Sink.output=/dev/full
for name in air.cu8 ./air.cu8 link.cu8 hard.cu8; do
    ln -sf air.cu8 link.cu8
    ln -f air.cu8 hard.cu8
    cp air.cu8 kept
    refused "$name is there and is no WAV file: it is not written over" -p Source.input=air.cu8 -p "Sink.output=$name"
    cmp -s air.cu8 kept || fail "$name: the recording is written over"
done
refused "format is 16 or 32, not 24" -p Source.input=air.cu8 -p Sink.format=24 -p Sink.output=sound.wav
refused "emphasis is 50, 75 or 0, not 60" -p Source.input=air.cu8 -p Stereo.emphasis=60
refused "none/sound.wav" -p Source.input=air.cu8 -p Sink.output=none/sound.wav
refuse "a multiple of 96" -D block=100 "$app/radio.xml" one.xml "$app/map-core0.xml"
for wrong in "-l 400:2 x" "-l 400 x" "-s 0 x" ""; do
    # shellcheck disable=SC2086 # words
    run 2 "$tools/mkradio" $wrong
done
run 1 "$tools/listen" air.cu8
run 2 "$tools/listen" -l 400 -r 400 short.wav
run 1 "$tools/reference" empty.cu8 x

echo "$passed comparisons"
