#!/usr/bin/env bash
# Parts that read and write files work side by side in one program, some of them twice: what is read is written.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/files_lib.sh"
need pkg:sndfile pkg:libpng pkg:libjpeg pkg:libavformat pkg:libavcodec pkg:libswscale pkg:hdf5 ffmpeg sox
"$python" -c 'import h5py' 2>/dev/null || skip "python3 has no h5py"

sox -n -D -r 48000 -b 16 a.wav synth 0.5 sine 440 gain -3
sox a.wav -c 2 b.wav
ffmpeg -loglevel error -f lavfi -i testsrc=size=64x48:rate=5:duration=2 -pix_fmt gray a%d.png </dev/null
ffmpeg -loglevel error -f lavfi -i testsrc=size=32x16:rate=5:duration=2 b%d.png </dev/null
ffmpeg -loglevel error -f lavfi -i testsrc=size=64x48:rate=5:duration=2 -c:v ffv1 -pix_fmt yuv420p a.mkv </dev/null
"$python" -c '
import h5py, numpy
with h5py.File("a.h5", "w") as f:
    f["a"] = numpy.arange(100000, dtype="f4")
    f["b"] = numpy.arange(100000, dtype="i2").reshape(1000, 100)'

# pair NAME KIND COMMON IN OUT: a reader and a writer
pair() {
    cat <<END
  <network name="$1In" source="dal:$2_in.xml" $3 $4/>
  <network name="$1Out" source="dal:$2_out.xml" $3 $5/>
  <channel from="$1In.out" to="$1Out.in"/>
END
}
{
    echo '<processnetwork name="net">'
    pair A sound '' 'file="a.wav"' 'file="a.flac"'
    pair B sound 'channels="2" type="int16_t" block="10"' 'file="b.wav"' 'file="c.wav"'
    pair C images 'width="64" height="48"' 'files="a%d.png" first="1"' 'files="c%d.png"'
    pair D images 'width="32" height="16" channels="3"' 'files="b%d.png" first="1"' 'files="d%d.png"'
    pair E video 'width="64" height="48" bits="12"' 'file="a.mkv"' 'file="b.mkv" codec="ffv1" rate="5"'
    pair F video 'width="64" height="48" bits="8"' 'file="a.mkv"' 'file="c.mkv" codec="ffv1" rate="5"'
    pair G hdf5 '' 'file="a.h5" path="a"' 'file="g.h5" path="a"'
    pair H hdf5 'type="int16_t" row="100"' 'file="a.h5" path="b"' 'file="h.h5" path="b"'
    echo '</processnetwork>'
} >net.xml
synthesise -o net net.xml
run 0 net/net
sox a.flac -b 16 -D back.wav
sox a.wav -t raw a.raw
sox back.wav -t raw back.raw
cmp back.raw a.raw || fail "another sound"
sox b.wav -t raw b.raw
sox c.wav -t raw c.raw
cmp b.raw c.raw || fail "another sound of two channels"
# frames FORMAT FILE [OPTION...]: what ffmpeg sees, as a sum
frames() {
    local format=$1 file=$2
    shift 2
    ffmpeg -loglevel error "$@" -i "$file" -pix_fmt "$format" -f md5 - </dev/null
}
[ "$(frames gray a%d.png)" = "$(frames gray c%d.png)" ] || fail "other grey pictures"
[ "$(frames rgb24 b%d.png)" = "$(frames rgb24 d%d.png)" ] || fail "other pictures"
[ "$(frames yuv420p a.mkv)" = "$(frames yuv420p b.mkv)" ] || fail "another video"
[ -s c.mkv ] || fail "there is no second video"
"$python" -c '
import h5py, numpy
a, g, h = (h5py.File(name + ".h5", "r") for name in "agh")
assert numpy.array_equal(a["a"], g["a"]) and numpy.array_equal(a["b"], h["b"])' || fail "other numbers"
