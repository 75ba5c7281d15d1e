#!/usr/bin/env bash
# dal:sound_device_out.xml plays on a device of ALSA. Here that is a file, by ALSA's own plug-in.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/files_lib.sh"
need pkg:alsa
alsa_devices
alsa_faults

"$python" -c '
import numpy
numpy.save("shorts.npy", numpy.random.default_rng(1).integers(-32768, 32768, 128000).astype("<i2"))
numpy.save("floats.npy", numpy.random.default_rng(2).normal(size=64000).astype("<f4"))'
ports=in=int16_t
part sound_device_out 'device="kept" type="int16_t" channels="2"'
mv sound_device_out shorts
mv shorts/sound_device_out shorts/shorts
part sound_device_out 'device="kept" type="int16_t" channels="2" underrun="fail"'
mv sound_device_out fails
mv fails/sound_device_out fails/fails
ports=in=float
part sound_device_out 'device="kept" rate="8000" block="100"'
mv sound_device_out floats
mv floats/sound_device_out floats/floats
run 0 shorts/shorts --in=shorts.npy
tail -c +129 shorts.npy | cmp - kept.raw || fail "other samples of two channels"
[ ! -s messages ] || fail "it talks" messages
DAL_STATS=clock.json run 0 floats/floats --in=floats.npy
grep -q '"nominal_per_s": 8000, "drift_ppm"' clock.json || fail "no drift" clock.json
tail -c +129 floats.npy | cmp - kept.raw || fail "other samples that are float"

# ---- what is refused -----------------------------------------------------------------------------

refused() { # TEXT PROGRAM [OPTION...]
    local text=$1 program=$2
    shift 2
    run 1 "$program/$program" "$@"
    expect "$text" messages
    [ "$(wc -l <messages)" -le 2 ] || fail "ALSA talks, too" messages
}
refused "sound device nowhere: No such file or directory" shorts --in=shorts.npy -p Part.Play.device=nowhere
refused "sound device card: No such" shorts --in=shorts.npy -p Part.Play.device=card
refused "sound device pair: it has no 1 channels of 8000 Hz" floats --in=floats.npy -p Part.Play.device=pair
export LD_PRELOAD=$PWD/faults.so
FAULT_AT=500 refused "sound device kept: samples came too late" fails --in=shorts.npy
FAULT_AT=500 FAULT_FOR_EVER=1 refused "sound device kept: Connection timed out" shorts --in=shorts.npy
FAULT_AT=500 run 0 shorts/shorts --in=shorts.npy
expect "sound device kept: 1 gaps" messages
unset LD_PRELOAD
refuse_part "'wait' is none of its values: skip fail" sound_device_out 'underrun="wait"'
refuse_part "rate: 10 is too small" sound_device_out 'rate="10"'
