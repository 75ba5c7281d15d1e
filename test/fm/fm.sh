#!/usr/bin/env bash
# apps/fm, a receiver of parts: the tones that were sent, from a recording and from a pipe, and what it refuses.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
need pkg:jansson pkg:sndfile

cp "$source"/apps/fm/* .
python3 station.py
synthesise -o fm fm.xml
run 0 fm/fm
synthesise -o receiver receiver.xml
run 0 receiver/receiver --radio=station.sigmf-data --sound=sound.npy
run 0 bash -c 'cat station.sigmf-data | receiver/receiver --radio=- --sound=piped'
tail -c +129 sound.npy | cmp - piped || fail "a pipe gives other bytes"

"$python" - <<'END' || fail "other tones than were sent" output
import numpy as np

sound = np.load("sound.npy")
assert len(sound) == 2 * 48000, len(sound)
sound = sound[4800 : 4800 + 48000]  # 1 kHz is at 1000
power = np.abs(np.fft.rfft(sound * np.hanning(len(sound)))) ** 2
tones = [power[hertz - 5 : hertz + 6].sum() for hertz in (1000, 4000)]
noise = 10 * np.log10(sum(tones) / (power.sum() - sum(tones)))
assert noise > 60, f"{noise} dB of noise"
level = 10 * np.log10(tones[1] / tones[0])  # half as loud, and the treble that was lowered
wanted = -6.02 - 10 * np.log10((1 + (2 * np.pi * 0.2) ** 2) / (1 + (2 * np.pi * 0.05) ** 2))
assert abs(level - wanted) < 0.1, f"{level} dB instead of {wanted}"
END

# The sound file has the same samples, rounded to 24 bits.
if command -v flac >/dev/null; then
    flac -s -d -f --force-raw-format --endian=little --sign=signed -o rounded station.flac
    "$python" - <<'END' || fail "the sound file has other samples"
import numpy as np

parts = np.frombuffer(open("rounded", "rb").read(), "u1").reshape(-1, 3).astype("i4")
whole = parts[:, 0] | parts[:, 1] << 8 | parts[:, 2].astype("i1").astype("i4") << 16
assert np.abs(whole / 2**23 - np.load("sound.npy")).max() < 2**-22
END
fi

# Another station is none: what is heard there is noise.
run 0 receiver/receiver --radio=station.sigmf-data --sound=other.npy -p Tune.Oscillator.frequency=200000
"$python" -c "
import numpy as np
power = np.abs(np.fft.rfft(np.load('other.npy')[4800:52800])) ** 2
assert power[995:1006].sum() < power.sum() / 10" || fail "a station that is not there"

sed 's/960000/250000/' station.sigmf-meta >slow.sigmf-meta
ln -s station.sigmf-data slow.sigmf-data
rm station.flac
run 1 fm/fm -p In.Read.file=slow.sigmf-meta
expect "slow.sigmf-meta" messages
run 1 fm/fm -p Receiver.Select.Decimate.file=audio.taps
expect "audio.taps" messages
[ ! -e station.flac ] || fail "a file is left"
echo "1 passed"
