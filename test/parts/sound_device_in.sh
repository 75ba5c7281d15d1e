#!/usr/bin/env bash
# dal:sound_device_in.xml records what a device of ALSA gives. Here that is a file, by ALSA's own plug-in.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/files_lib.sh"
need pkg:alsa
alsa_devices
alsa_faults

# 1000 blocks of 64 frames of two channels
"$python" -c '
import numpy
numpy.random.default_rng(1).integers(-32768, 32768, 128000).astype("<i2").tofile("shorts.raw")
numpy.random.default_rng(2).normal(size=64000).astype("<f4").tofile("floats.raw")'
ports=out=int16_t
part sound_device_in 'device="played" type="int16_t" channels="2" frames="64000"'
mv sound_device_in shorts
mv shorts/sound_device_in shorts/shorts
part sound_device_in 'device="played" type="int16_t" channels="2" frames="64000" overrun="skip"'
mv sound_device_in skips
mv skips/sound_device_in skips/skips
ports=out=float
part sound_device_in 'device="played" frames="64000" rate="8000" block="100"'
mv sound_device_in floats
mv floats/sound_device_in floats/floats
cp shorts.raw played.raw
run 0 shorts/shorts --out=y.raw
cmp y.raw shorts.raw || fail "other samples of two channels"
[ ! -s messages ] || fail "it talks" messages
cp floats.raw played.raw
run 0 floats/floats --out=y.raw
cmp y.raw floats.raw || fail "other samples that are float"
run 0 floats/floats --out=y.raw -p Part.Record.frames=1050
[ "$(stat -c %s y.raw)" -eq 4000 ] || fail "1050 frames in blocks of 100 are $(stat -c %s y.raw) bytes"

# ---- what is refused -----------------------------------------------------------------------------

refused() { # TEXT PROGRAM [OPTION...]
    local text=$1 program=$2
    shift 2
    rm -f y.raw
    run 1 "$program/$program" --out=y.raw "$@"
    expect "$text" messages
    [ ! -e y.raw ] || fail "$text: there is an output"
    [ "$(wc -l <messages)" -le 2 ] || fail "ALSA talks, too" messages
}
refused "sound device nowhere: No such file or directory" shorts -p Part.Record.device=nowhere
refused "sound device : " shorts -p Part.Record.device=
refused "sound device card: No such" shorts -p Part.Record.device=card
refused "sound device pair: it has no 1 channels of 8000 Hz" floats -p Part.Record.device=pair
run 2 shorts/shorts --out=y.raw -p Part.Record.frames=many
expect 'parameter Part.Record.frames=many: "many" is no long' messages
cp shorts.raw played.raw
export LD_PRELOAD=$PWD/faults.so
FAULT_AT=500 refused "sound device played: samples came faster than they were taken" shorts
FAULT_AT=500 FAULT_FOR_EVER=1 refused "sound device played: Connection timed out" skips
FAULT_AT=500 run 0 skips/skips --out=y.raw
expect "sound device played: 1 gaps" messages
unset LD_PRELOAD
[ "$(stat -c %s y.raw)" -eq 256000 ] || fail "a gap makes fewer samples"
refuse_part "'wait' is none of its values: fail skip" sound_device_in 'overrun="wait"'
refuse_part "channels: 65 is too large" sound_device_in 'channels="65"'

# ---- a signal -----------------------------------------------------------------------------------

start shorts/shorts --out=/dev/null -p Part.Record.device=silent -p Part.Record.frames=0
until_so is_at_work
kill -TERM $running
ended
[ $status -eq 0 ] || fail "exit status $status after SIGTERM" messages
