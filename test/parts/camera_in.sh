#!/usr/bin/env bash
# dal:camera_in.xml gives the frames of a camera as they come. Here a library stands for the camera.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/files_lib.sh"
need pkg:libavdevice pkg:libavformat pkg:libavcodec pkg:libswscale ffmpeg
${CC:-cc} -shared -fPIC -D_FILE_OFFSET_BITS=32 -o camera.so "$source/test/parts/camera_standin.c" -ldl >log 2>&1 || fail "no camera" log

camera() { # BITS BYTES [ATTRIBUTE...]: makes the program camera/camera_in
    ports="out=uint8_t[$2]"
    part camera_in "device='/dev/camera' bits='$1' width='64' height='48' wait='300' ${*:3}"
    rm -rf camera
    mv camera_in camera
}
looks() { # STATUS [OPTION...]: runs it with the camera
    local wanted=$1
    shift
    rm -f y.raw
    LD_PRELOAD=$PWD/camera.so run "$wanted" camera/camera_in --out=y.raw "$@"
}
camera 24 9216 'frames="20"'
looks 0
[ "$(stat -c %s y.raw)" = $((20 * 9216)) ] || fail "rgb24: $(stat -c %s y.raw) bytes"
camera 12 4608 'frames="20"'
looks 0
[ "$(stat -c %s y.raw)" = $((20 * 4608)) ] || fail "yuv420p: $(stat -c %s y.raw) bytes"
cut='import numpy; x = numpy.fromfile("y.raw", "u1").reshape(-1, 4608)[:, 0]'
"$python" -c "$cut; assert (x == range(20)).all(), x" || fail "other frames"
CAMERA_CUTS=5 looks 0
expect "camera /dev/camera: damaged frames that are left out: 1" messages
"$python" -c "$cut; assert (x == [n for n in range(21) if n != 5]).all(), x" || fail "other frames beside one that is cut"
ffmpeg -loglevel error -y -f lavfi -i testsrc=size=64x48 -frames:v 1 -pix_fmt yuvj420p picture.jpg </dev/null
CAMERA_JPEG=picture.jpg looks 0 -p Part.Look.coding=mjpeg
ffmpeg -loglevel error -y -i picture.jpg -f rawvideo -pix_fmt yuv420p -sws_flags bicubic+bitexact+accurate_rnd wanted </dev/null
"$python" -c '
import numpy
x, y = (numpy.fromfile(name, "u1").astype(int).reshape(-1, 4608) for name in ("wanted", "y.raw"))
assert len(y) == 20 and abs(x - y).max() <= 2, abs(x - y).max()' || fail "other pixels of JPEG"
CAMERA_JPEG=picture.jpg CAMERA_CUTS=3 looks 0
expect "damaged frames that are left out: 1" messages
looks 0 -p Part.Look.frames=3
[ "$(stat -c %s y.raw)" = $((3 * 4608)) ] || fail "3 frames: $(stat -c %s y.raw) bytes"

# ---- what is refused -----------------------------------------------------------------------------

refused() { # TEXT [OPTION...]
    looks 1 "${@:2}"
    expect "$1" messages
    [ ! -e y.raw ] || fail "$1: there is an output"
}
CAMERA_ENDS=7 refused "camera /dev/camera: No such device"
CAMERA_STOPS=7 refused "camera /dev/camera: no frame has come"
CAMERA_STOPS=0 refused "camera /dev/camera: no frame has come"
CAMERA_BUSY=1 refused "camera /dev/camera: Device or resource busy"
refused "camera /dev/none: No such file or directory" -p Part.Look.device=/dev/none
refused "camera /dev/null: Inappropriate ioctl for device" -p Part.Look.device=/dev/null
refused "camera /dev/camera: " -p Part.Look.coding=mjpeg
ports="out=uint8_t[$((32 * 24))]"
part camera_in 'device="/dev/camera" width="32" height="24"'
rm -rf camera
mv camera_in camera
refused "/dev/camera: frame 1 has 64 x 48 pixels, and not 32 x 24"
refuse_part "width: 1 is too small" camera_in 'width="1"'

# ---- a signal ------------------------------------------------------------------------------------

camera 8 3072
LD_PRELOAD=$PWD/camera.so start camera/camera_in --out=/dev/null
until_so is_at_work
kill -TERM $running
ended
[ $status -eq 0 ] || fail "exit status $status after SIGTERM" messages
