#!/usr/bin/env bash
# apps/equaliser is what five filters by the book make of the same sound; its gains change while it runs; between sound devices it
# does the same.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/files_lib.sh"
need pkg:sndfile

cp -r "$source/apps/equaliser" app
chmod -R u+w app
synthesise -o equaliser app/equaliser.xml

cat >sound.py <<'PYTHON'
import math, struct, sys
import numpy

RATE, FREQUENCIES = 48000, (60, 240, 1000, 3800, 12000)

def write(name, x): # frames of two channels, float
    data = x.astype("<f4").tobytes()
    head = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 3, 2, RATE, 8 * RATE, 8, 32) + b"data" + struct.pack("<I", len(data))
    open(name, "wb").write(b"RIFF" + struct.pack("<I", len(head) + len(data)) + head + data)

def read(name):
    file = open(name, "rb").read()
    assert file[:4] == b"RIFF" and file[8:12] == b"WAVE"
    at = 12
    while file[at:at + 4] != b"data": at += 8 + struct.unpack("<I", file[at + 4:at + 8])[0]
    bytes_ = struct.unpack("<I", file[at + 4:at + 8])[0]
    return numpy.frombuffer(file[at + 8:at + 8 + bytes_], "<f4").reshape(-1, 2)

def peak(x, frequency, gain, q=0.9): # R. Bristow-Johnson, Cookbook formulae for audio EQ
    a, w = 10 ** (gain / 40), 2 * math.pi * frequency / RATE
    alpha = math.sin(w) / (2 * q)
    b = (1 + alpha * a, -2 * math.cos(w), 1 - alpha * a)
    d = (1 + alpha / a, -2 * math.cos(w), 1 - alpha / a)
    y = numpy.zeros_like(x)
    for n in range(len(x)):
        y[n] = sum(b[k] * x[n - k] - (d[k] * y[n - k] if k else 0) for k in range(3) if n >= k) / d[0]
    return y

def noise(): return numpy.random.default_rng(1).normal(scale=0.1, size=(2560, 2)).astype("<f4")
PYTHON
"$python" -c 'from sound import *; write("noise.wav", noise())'
files='-p In.Read.file=noise.wav -p Out.Write.file=new.wav'
gains='-p Bands.Bass.Biquad.gain=6 -p Bands.Low.Biquad.gain=-4 -p Bands.Middle.Biquad.gain=3 -p Bands.High.Biquad.gain=-9 -p Bands.Treble.Biquad.gain=12'

# ---- files ---------------------------------------------------------------------------------------

run 0 equaliser/equaliser $files
"$python" -c 'from sound import *; assert abs(read("new.wav") - noise()).max() < 1e-5' || fail "bands without gain change the sound"
run 0 equaliser/equaliser $files $gains
"$python" -c '
from sound import *
x = noise().astype(float)
for frequency, gain in zip(FREQUENCIES, (6, -4, 3, -9, 12)): x = peak(x, frequency, gain)
assert abs(read("new.wav") - x).max() < 1e-4, abs(read("new.wav") - x).max()' || fail "it is no equaliser"
cp new.wav wanted.wav

run 1 equaliser/equaliser -p In.Read.file=nowhere.wav -p Out.Write.file=none.wav
expect "nowhere.wav: No such file or directory" messages
[ ! -e none.wav ] || fail "a file is left"

# ---- live gains ----------------------------------------------------------------------------------

echo "4 Bands.Middle.Biquad.gain=6" >changes
DAL_REPLAY=changes run 0 equaliser/equaliser $files
"$python" -c '
from sound import *
x, y = noise(), read("new.wav")
assert abs(y - x)[:4 * 256].max() < 1e-5, "it changes too early"
assert abs(y - x)[4 * 256:].max() > 1e-2, "it does not change"' || fail "a live gain"

# ---- sound devices -------------------------------------------------------------------------------

pkg-config --exists alsa || { echo "equaliser: no libasound, and so no devices" && exit 0; }
alsa_devices
synthesise -o live app/live.xml
"$python" -c 'from sound import *; noise().tofile("played.raw")'
run 0 live/live $gains -p In.Record.device=played -p In.Record.frames=2560 -p Out.Play.device=kept
"$python" -c 'from sound import *; read("wanted.wav").tofile("wanted.raw")'
cmp kept.raw wanted.raw || fail "other sound between devices"
