#!/usr/bin/env bash
# apps/detector counts in pictures that come by UDP what NumPy counts.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/net.sh"
for python in python3 /usr/bin/python3; do
    ! "$python" -c 'import numpy, h5py' 2>/dev/null || break
done
"$python" -c 'import numpy, h5py' 2>/dev/null || skip "there is no python3 with numpy and h5py"
pkg-config --exists hdf5 || skip "pkg-config does not know hdf5"

cp -r "$source/apps/detector" app
chmod -R u+w app
synthesise -o detector app/detector.xml

# Each picture fits in the receive buffer many times; the next one is sent when the last one has been counted.
cat >camera.py <<'PYTHON'
import numpy, os, socket, struct, sys, time
pictures = numpy.random.default_rng(1).integers(0, 300, (12, 64 * 48)).astype("<i2")
numpy.save("pictures", pictures)
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i, picture in enumerate(pictures):
    s.sendto(b"DET0" + struct.pack(">I", i + 3 * (i > 7)) + picture.tobytes(), ("127.0.0.1", int(sys.argv[1])))
    while os.stat("spectra").st_size < 256 * (i + 1): time.sleep(0.002)
PYTHON
: >spectra
start bash -c 'exec detector/detector --spectra=/dev/stdout -p Camera.Receive.address=127.0.0.1 -p Camera.Receive.count=12 -p File.Write.file=night.h5 >spectra'
told "udp_in: receives at 127.0.0.1:"
timeout 300 "$python" camera.py "$port" || fail "the camera" messages
ends 0
expect "12 packets came, 3 are lost, 0 came late or twice" messages
"$python" - <<'PYTHON' || fail "other counts"
import h5py, numpy
pictures = numpy.load("pictures.npy")
photons = h5py.File("night.h5", "r")["/run/photons"][:]
bright = (pictures >= 200).sum(axis=1)
assert photons.dtype == "uint32" and numpy.array_equal(photons, numpy.stack([64 * 48 - bright, bright], axis=1)), photons
spectra = numpy.fromfile("spectra", "<u4").reshape(12, 64)
assert numpy.array_equal(spectra, [numpy.histogram(p, 64, (0, 1024))[0] for p in pictures]), spectra
PYTHON

# A signal in the middle leaves whole files.
start detector/detector --spectra=few.npy -p Camera.Receive.address=127.0.0.1 -p File.Write.file=few.h5
told "udp_in: receives at 127.0.0.1:"
kill -INT $running
ends 0
"$python" -c 'import h5py; assert h5py.File("few.h5", "r")["/run/photons"].shape == (0, 2)' || fail "no whole file"
