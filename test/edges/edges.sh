#!/usr/bin/env bash
# apps/edges, two videos side by side: the pixels that NumPy computes, on cores and with one of the two on a device, and what it
# refuses. Two cameras.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
need ffmpeg pkg:libavformat pkg:libavcodec pkg:libswscale

cp "$source"/apps/edges/* .
# video NAME SOURCE SIZE
video() {
    ffmpeg -loglevel error -f lavfi -i "$2=size=$3:rate=25" -frames:v 9 -c:v ffv1 -pix_fmt gray "$1" </dev/null ||
        fail "ffmpeg makes no $1"
}
video left.mkv testsrc 64x48
video right.mkv mandelbrot 64x48
video wide.mkv testsrc 96x48

"$dalinfo" --architecture -o machine.xml
synthesise -o cores -D width=64 -D height=48 edges.xml
run 0 cores/edges
mv edges.mkv wanted.mkv
if has_device machine.xml; then
    synthesise -o device -D width=64 -D height=48 edges.xml machine.xml map-device.xml
    run 0 device/edges
    cmp edges.mkv wanted.mkv || fail "a device makes other edges"
fi

for name in left right wanted; do
    ffmpeg -loglevel error -i $name.mkv -f rawvideo -pix_fmt gray $name.raw </dev/null
done
"$python" - <<'END' || fail "other edges" output
import numpy as np


def edges(name):
    a = np.pad(np.fromfile(name, "u1").reshape(-1, 48, 64).astype(int), ((0, 0), (1, 1), (1, 1)), "edge")
    across = a[:, :, 2:] - a[:, :, :-2]
    down = a[:, 2:] - a[:, :-2]
    x = across[:, :-2] + 2 * across[:, 1:-1] + across[:, 2:]
    y = down[:, :, :-2] + 2 * down[:, :, 1:-1] + down[:, :, 2:]
    return np.minimum(abs(x) + abs(y), 255)


got = np.fromfile("wanted.raw", "u1").reshape(-1, 48, 128)
assert got.shape[0] == 9 and got.max() == 255, got.shape
assert (got == np.concatenate((edges("left.raw"), edges("right.raw")), axis=2)).all()
END

rm -f edges.mkv
run 1 cores/edges -p Right.Read.file=wide.mkv
expect "wide.mkv: frame 1 has 96 x 48 pixels, and not 64 x 48" messages
run 1 cores/edges -p Left.Read.file=none.mkv
expect "none.mkv" messages
[ ! -e edges.mkv ] || fail "a file is left"

# Two cameras, for which a library stands, and a window, whose pictures SDL's driver "dummy" keeps.
if pkg-config --exists libavdevice sdl2; then
    ${CC:-cc} -shared -fPIC -o camera.so "$source/test/parts/camera_standin.c" -ldl >log 2>&1 || fail "no camera" log
    synthesise -o cameras -D width=64 -D height=48 -D left=/dev/camera0 -D right=/dev/camera1 cameras.xml
    SDL_VIDEODRIVER=dummy SDL_VIDEO_DUMMY_SAVE_FRAMES=1 LD_PRELOAD=$PWD/camera.so run 0 cameras/cameras \
        -p Left.Look.frames=9 -p Right.Look.frames=9
    [ "$(echo SDL_window*.bmp | wc -w)" -eq 9 ] || fail "there are not nine pictures of cameras" <(ls)
fi
echo "1 passed"
