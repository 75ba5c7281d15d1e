#!/usr/bin/env bash
# dal:video_in.xml reads what ffmpeg has written, frame by frame as ffmpeg reads it. Videos of another size, and files that are damaged
# or not whole, are refused by name.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/files_lib.sh"
need pkg:libavformat pkg:libavcodec pkg:libswscale ffmpeg

make_video() { # FILE OPTION...
    local file=$1
    shift
    ffmpeg -loglevel error -y -f lavfi -i testsrc=size=64x48:rate=25:duration=2 "$@" "$file" </dev/null || fail "ffmpeg makes no $file"
}
make_video a.mkv -c:v ffv1 -level 3 -slicecrc 1 -pix_fmt yuv420p
make_video grey.mkv -c:v ffv1 -pix_fmt gray
make_video rgb.avi -c:v rawvideo -pix_fmt bgr24
make_video a.mp4 -c:v mpeg4 -bf 2
make_video first.mp4 -c:v mpeg4 -movflags +faststart
make_video a.avi -c:v mjpeg -pix_fmt yuvj420p
make_video sound.avi -f lavfi -i sine=duration=2 -c:v mpeg4 -c:a mp2
make_video a.y4m -pix_fmt yuv420p
make_video hd.mkv -vf scale=out_color_matrix=bt709,format=yuv444p -colorspace bt709 -c:v ffv1
make_video full.mkv -c:v ffv1 -pix_fmt yuv420p -color_range pc
make_video png.mkv -c:v png
make_video sound.mkv -f lavfi -i sine=duration=2 -c:v ffv1 -pix_fmt yuv420p -c:a flac

size='width="64" height="48"'
# program NAME BITS BYTES
program() {
    ports="out=uint8_t[$3]"
    part video_in "file='none' bits='$2' $size"
    mv video_in "$1"
    mv "$1/video_in" "$1/$1"
}
program gray 8 3072
program rgb24 24 9216
program yuv420p 12 4608

# is_read FORMAT FILE MOST [OPTION...]: as ffmpeg reads it; what is converted may differ by so much
is_read() {
    run 0 "$1/$1" --out=y.raw -p "Part.Read.file=$2"
    [ ! -s messages ] || fail "it talks" messages
    ffmpeg -loglevel error -y -i "$2" -map 0:v "${@:4}" -f rawvideo -pix_fmt "$1" -sws_flags bicubic+bitexact+accurate_rnd wanted </dev/null
    "$python" -c "
import numpy
x, y = (numpy.fromfile(name, 'u1').astype(int) for name in ('wanted', 'y.raw'))
assert x.size > 0 and x.shape == y.shape and abs(x - y).max() <= $3, (x.shape, y.shape, abs(x - y).max())" || fail "$2: other pixels"
}
for file in a.mkv a.mp4 first.mp4 a.y4m sound.mkv sound.avi; do
    is_read yuv420p $file 0
done
# A file that was cut without encoding has frames that are not shown, and one may begin later than at 0.
make_video keys.mp4 -c:v mpeg4 -g 25 -bf 2
copy() { # FRAMES FILE OPTION...
    ffmpeg -loglevel error -y "${@:3}" -c copy "$2" </dev/null
    run 0 yuv420p/yuv420p --out=y.raw -p "Part.Read.file=$2"
    [ "$(stat -c %s y.raw)" -eq $(($1 * 4608)) ] || fail "$2 has not $1 frames" <(ls -l y.raw)
}
copy 37 trimmed.mp4 -ss 0.52 -i keys.mp4
for ending in mkv mp4 mov; do
    copy 50 late.$ending -itsoffset 1.5 -i keys.mp4
done
if ffmpeg -loglevel error -encoders | grep -q libx264; then
    make_video h264.avi -c:v libx264 -pix_fmt yuv420p
    is_read yuv420p h264.avi 0
fi
is_read gray grey.mkv 0
is_read rgb24 rgb.avi 0
is_read gray a.mkv 0
is_read gray png.mkv 1
is_read yuv420p png.mkv 2
is_read yuv420p a.avi 2
is_read rgb24 a.mkv 2
is_read rgb24 hd.mkv 2
is_read rgb24 grey.mkv 0
# Where black is 0, grey is Y as it is, and yuv420p gets the limited range.
is_read gray full.mkv 0
ffmpeg -loglevel error -y -i full.mkv -vf extractplanes=y -f rawvideo wanted </dev/null
run 0 gray/gray --out=y.raw -p Part.Read.file=full.mkv
cmp wanted y.raw || fail "grey is not Y"
is_read rgb24 full.mkv 2
is_read yuv420p full.mkv 2 -vf scale=in_range=full:out_range=limited

# ---- what is refused -----------------------------------------------------------------------------

make_video narrow.mkv -c:v ffv1 -s 32x48
ffmpeg -loglevel error -y -f lavfi -i sine=duration=1 tone.wav </dev/null
read_refused "narrow.mkv: frame 1 has 32 x 48 pixels, and not 64 x 48" yuv420p narrow.mkv
read_refused "tone.wav: it has no video that can be decoded" yuv420p tone.wav
for file in a.mkv rgb.avi a.mp4 first.mp4 a.avi a.y4m sound.mkv sound.avi trimmed.mp4 late.mkv late.mp4; do
    bytes=$(stat -c %s $file)
    for part in 90 50 10; do
        head -c $((bytes * part / 100)) $file >cut_${part}_$file
    done
done
# A list of other files is no video, here.
printf '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na.mkv\n#EXT-X-ENDLIST\n' >list.m3u8
printf 'ffconcat version 1.0\nfile a.mkv\n' >list.ffconcat
cp a.mkv damage.mkv
printf 'damage damage damage damage' | dd of=damage.mkv bs=1 seek=30000 conv=notrunc status=none
# A container that skips what it cannot read tells of it, though all frames that come are whole.
make_video gap.mkv -c:v ffv1 -pix_fmt yuv420p
dd if=/dev/zero of=gap.mkv bs=1 seek=6000 count=400 conv=notrunc status=none
read_refused "gap.mkv: it is damaged: 0x00 at pos" yuv420p gap.mkv
read_hostile yuv420p cut_* list.m3u8 list.ffconcat damage.mkv
refuse_part "width: 1 is too small" video_in "file='a' width='1' height='2'"
ports='out=uint8_t[3840]'
network video_in "file='a' bits='10' $size"
run 1 "$dalsynth" -o refused video_in.xml
expect "bits of a pixel are 8 (grey), 24 (rgb24) or 12 (yuv420p)" messages

# ---- a signal -----------------------------------------------------------------------------------

ffmpeg -loglevel error -y -stream_loop 2000 -i a.mp4 -c copy long.mp4 </dev/null
stops rgb24 long.mp4
