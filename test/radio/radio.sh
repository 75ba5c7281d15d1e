#!/usr/bin/env bash
# The receiver: its sound against the tones that were sent and against the double-precision reference, the same bytes on
# every mapping, and what it refuses.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

app=$source/apps/radio
tools=$build/apps/radio

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

# receive FOLDER RECORDING SOUND: the folder was synthesised
receive() {
    run 0 "$1/radio" --strict --samples="$2" --sound="$3"
}

# same NAME ARCHITECTURE [OPTION...]: synthesises radio.xml with NAME.xml and compares the bytes with those of the loop. The
# recording is 25 times 16 blocks, so both have all of it.
same() {
    synthesise -o program "${@:3}" "$app/radio.xml" "$2" "$1.xml"
    receive program air.cu8 sound
    cmp sound wanted || fail "$1: other bytes" made messages
    passed=$((passed + 1))
    echo "same bytes: $1"
    rm -rf program
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
receive core0 air.cu8 sound.wav,channels=2
tail -c +45 sound.wav | cmp - wanted || fail "core0: other bytes"
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

run 0 "$tools/mkradio" -s 1.2 -m mono.cu8
receive core0 mono.cu8 mono.wav,channels=2
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
head -c 1001 air.cu8 >odd.cu8
cat air.cu8 air.cu8 | tr '\200-\377' '\0-\177' >garbled.cu8
receive core0 garbled.cu8 sound
expect "no pilot: " messages
head -c 130000 air.cu8 >short.cu8 # 65000 samples are a cycle of 16 blocks, and five more blocks
receive core0 short.cu8 sound
[ "$(stat -c %s sound)" = $((3 * 768 * 8)) ] || fail "not three blocks of sound"
cmp -n $((3 * 768 * 8)) sound wanted || fail "a short recording: other bytes"
head -c 130000 air.cu8 | core0/radio --samples=- --sound=- | cmp - sound || fail "a pipe: other bytes"
refused "odd.cu8: 1001 bytes are no whole number of tokens of 2" --samples=odd.cu8 --sound=sound
refused "sound.wav: its samples are real of 32 bits" --samples=sound.wav --sound=sound
refused "emphasis is 50, 75 or 0, not 60" --samples=air.cu8 --sound=sound -p Stereo.emphasis=60
refuse "a multiple of 96" -D block=100 "$app/radio.xml" one.xml "$app/map-core0.xml"
for wrong in "-l 400:2 x" "-l 400 x" "-s 0 x" ""; do
    # shellcheck disable=SC2086 # words
    run 2 "$tools/mkradio" $wrong
done
run 1 "$tools/listen" air.cu8
run 2 "$tools/listen" -l 400 -r 400 sound.wav
run 1 "$tools/reference" /dev/null x

echo "$passed comparisons"
