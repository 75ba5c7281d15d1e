#!/usr/bin/env bash
# dal:video_out.xml writes videos that ffmpeg reads: FFV1 to the last pixel. A file has its name when it is whole, and not before.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/files_lib.sh"
need pkg:libavformat pkg:libavcodec pkg:libswscale ffmpeg ffprobe

size='width="64" height="48"'
# program FORMAT BITS BYTES: with 40 frames in FORMAT.npy
program() {
    ports="in=uint8_t[$3]"
    part video_out "file='none' bits='$2' $size rate='30'"
    mv video_out "$1"
    mv "$1/video_out" "$1/$1"
    ffmpeg -loglevel error -y -f lavfi -i testsrc=size=64x48:rate=25:duration=2 -frames:v 40 -f rawvideo -pix_fmt "$1" frames </dev/null
    "$python" -c "
import numpy
numpy.save('$1.npy', numpy.fromfile('frames', 'u1').reshape(-1, $3))"
}
program gray 8 3072
program rgb24 24 9216
program yuv420p 12 4608

# is_written FORMAT FILE CODEC MOST: ffmpeg reads frames whose bytes differ by so much in the mean
is_written() {
    run 0 "$1/$1" --in="$1.npy" -p "Part.Write.file=$2" -p "Part.Write.codec=$3"
    [ ! -s messages ] || fail "it talks" messages
    ffmpeg -loglevel error -y -i "$2" -f rawvideo -pix_fmt "$1" got </dev/null || fail "ffmpeg reads no $2"
    "$python" -c "
import numpy
x, y = numpy.load('$1.npy').astype(int).ravel(), numpy.fromfile('got', 'u1').astype(int)
assert x.shape == y.shape and abs(x - y).mean() <= $4, (x.shape, y.shape, abs(x - y).mean())" || fail "$2: other pixels"
    ffprobe -loglevel error -show_entries stream=codec_name,width,height,r_frame_rate -of csv=p=0 "$2" >log
    [ -z "$3" ] || expect "$3,64,48,30/1" log
}
is_written gray gray.mkv ffv1 0
is_written yuv420p yuv.mkv ffv1 0
is_written rgb24 rgb.mkv ffv1 0
is_written rgb24 raw.avi rawvideo 0
is_written gray gray.mp4 "" 4
is_written yuv420p a.y4m "" 0
is_written yuv420p a.mp4 mpeg4 12
is_written rgb24 a.avi mjpeg 30
is_written yuv420p usual.mkv "" 12
is_written rgb24 c.y4m "" 4
is_written rgb24 usual.mp4 "" 30
ffprobe -loglevel error -show_entries stream=pix_fmt -of csv=p=0 usual.mp4 >log
expect yuv420p log
cp gray.mkv again.mkv
is_written gray again.mkv ffv1 0
cmp gray.mkv again.mkv || fail "the same frames are another file"

# ---- what is refused -----------------------------------------------------------------------------

cp gray.npy x.npy
write_refused "a.xyz cannot be written: its ending is none of a kind of video" gray a.xyz
write_refused "a.wav cannot be written" gray a.wav
write_refused "nowhere/a.mkv cannot be written: No such file or directory" gray nowhere/a.mkv

"$python" -c "import numpy; numpy.save('x.npy', numpy.zeros((0, 3072), 'u1'))"
write_refused "none.mkv cannot be written: there are no frames, and a video has some" gray none.mkv
cp gray.npy x.npy
run 1 gray/gray --in=x.npy -p Part.Write.file=b.mkv -p Part.Write.codec=flac
expect "b.mkv cannot be written: there is no such codec for video" messages
run 1 gray/gray --in=x.npy -p Part.Write.file=b.webm -p Part.Write.codec=ffv1
expect "b.webm cannot be written" messages
[ -z "$(find . -name 'b.*')" ] || fail "something is left" <(ls)
keeps_mode gray mode.mkv
stays_when_full gray full.mkv -p Part.Write.codec=ffv1
stays_old gray old.mkv u1
refuse_part "rate: 0 is too small" video_out "file='a' rate='0' $size"
refuse_part "variable 'width'" video_out "file='a' height='48'"
