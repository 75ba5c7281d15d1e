#!/usr/bin/env bash
# dal:sound_in.xml reads what sox and flac have written, to the last sample. What is no such sound, or not all of it, is refused by
# the file's name.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/files_lib.sh"
need pkg:sndfile sox flac

# 10001 frames of two channels: no multiple of what is read at once.
"$python" - <<'END_OF_PYTHON'
import numpy
x = numpy.random.default_rng(1).integers(-32768, 32768, 20002).astype("<i2")
x[:4] = -32768, 32767, 0, 1
x.tofile("shorts.raw")
numpy.save("shorts.npy", x)
numpy.save("floats.npy", x.astype("f4") / numpy.float32(32768))
(x.astype("f4") / 32768).tofile("floats.raw")
END_OF_PYTHON
raw='-t raw -r 44100 -c 2'
sox $raw -e signed -b 16 shorts.raw a.wav
sox $raw -e float -b 32 floats.raw float.wav
sox $raw -e signed -b 16 shorts.raw a.aiff
sox $raw -e signed -b 16 shorts.raw a.au
flac --silent --force-raw-format --endian=little --channels=2 --bps=16 --sample-rate=44100 --sign=signed -o a.flac shorts.raw
sox $raw -e signed -b 16 shorts.raw a.w64
sox $raw -e signed -b 16 shorts.raw a.ogg
sox $raw -e signed -b 16 shorts.raw -t wav - | cat >piped.wav
cat shorts.raw | sox $raw -e signed -b 16 - -b 24 -t wav - | cat >deep_piped.wav
sox $raw -e signed -b 16 shorts.raw -t aiff - | cat >piped.aiff
sox $raw -e signed -b 16 shorts.raw -b 24 -t aiff - | cat >deep_piped.aiff
flac --silent --force-raw-format --endian=little --channels=2 --bps=16 --sample-rate=44100 --sign=signed - <shorts.raw 2>log | cat >piped.flac
# RF64, which has lengths of 64 bits
"$python" - <<'END_OF_PYTHON'
import struct
wav, data = open("a.wav", "rb").read(), open("shorts.raw", "rb").read()
size = 12 + 36 + 24 + 8 + len(data)
with open("a.rf64", "wb") as file:
    file.write(b"RF64" + struct.pack("<I", 0xffffffff) + b"WAVEds64" + struct.pack("<IQQQI", 28, size - 8, len(data), len(data) // 4, 0))
    file.write(wav[12:36] + b"data" + struct.pack("<I", 0xffffffff) + data)
END_OF_PYTHON

# is_read PROGRAM FILE WANTED
is_read() {
    run 0 "$1/$1" --out=y.npy -p "Part.Read.file=$2"
    [ ! -s messages ] || fail "it talks" messages
    "$python" -c "
import numpy
y, wanted = numpy.load('y.npy'), numpy.load('$3')
assert y.dtype == wanted.dtype and numpy.array_equal(y, wanted), (len(y), y, wanted)" || fail "$2: other samples"
}

ports=out=float
part sound_in 'file="none" channels="2" rate="44100"'
mv sound_in floats
mv floats/sound_in floats/floats
ports=out=int16_t
part sound_in 'file="a.wav" type="int16_t" channels="2"'
mv sound_in shorts
mv shorts/sound_in shorts/shorts
"$python" - <<'END_OF_PYTHON'
import struct
x = open("shorts.raw", "rb").read()
with open("a.caf", "wb") as file:
    file.write(b"caff" + struct.pack(">HH", 1, 0))
    file.write(b"desc" + struct.pack(">Qd4sIIIII", 32, 44100, b"lpcm", 2, 4, 1, 2, 16))
    file.write(b"data" + struct.pack(">qI", 4 + len(x), 0) + x)
END_OF_PYTHON
# lie NAME FILE AT BYTES: a file with other bytes at a place
lie() {
    cp "$2" "$1"
    printf "$4" | dd of="$1" bs=1 seek="$3" conv=notrunc status=none
}
printf '.snd\0\0\0\030\0\0\0\0\0\0\0\3\0\0\254\104\0\0\0\2' >nothing.au
"$python" -c "import numpy; numpy.save('nothing.npy', numpy.array([], 'f4'))"
is_read floats nothing.au nothing.npy
# What other programs write into a pipe as the length of "data".
lie most.wav a.wav 40 '\377\377\377\377'
lie half.wav a.wav 40 '\0\0\0\200'
# 0 is open where the whole tells nothing: 0 as well, the most, or too little for a header. Else nothing but chunks may follow.
sox $raw -e signed -b 16 shorts.raw -B a.rifx.wav
lie zero.wav a.wav 40 '\0\0\0\0'
lie zero_rifx.wav a.rifx.wav 40 '\0\0\0\0'
lie open_0.wav zero.wav 4 '\0\0\0\0'
lie open_rifx.wav zero_rifx.wav 4 '\0\0\0\0'
lie open_most.wav zero.wav 4 '\377\377\377\377'
lie open_8.wav zero.wav 4 '\10\0\0\0'
lie open.rf64 a.rf64 20 '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'
lie open.caf a.caf 56 '\377\377\377\377\377\377\377\377'
lie open.w64 a.w64 16 '\377\377\377\377\377\377\377\377'
lie zero.au a.au 8 '\0\0\0\0'
{ head -c 44 zero.wav && printf 'LIST\4\0\0\0more'; } >chunks.wav
sox -n -r 44100 -c 2 -b 16 nothing.aiff trim 0 0
for file in chunks.wav nothing.aiff; do
    is_read floats $file nothing.npy
done
for file in a.wav float.wav a.aiff a.au a.caf a.flac a.w64 a.rf64 piped.wav piped.flac piped.aiff deep_piped.wav deep_piped.aiff \
    most.wav half.wav a.rifx.wav open_0.wav open_rifx.wav open_most.wav open_8.wav open.rf64 open.caf open.w64; do
    is_read floats $file floats.npy
    is_read shorts $file shorts.npy
done
run 0 floats/floats --out=y.npy -p Part.Read.file=a.ogg
"$python" -c "import numpy; assert len(numpy.load('y.npy')) == 20002" || fail "an Ogg of another length"
# MPEG is read to its end, though what guesses its length guesses too much; or it is refused.
encode() { # FILE OPTION...
    ffmpeg -loglevel error -y -i sweep.wav "${@:2}" "$1" </dev/null 2>log
}
sox -n -r 44100 -c 2 -b 16 sweep.wav synth 10 sine 300-3000
has_mpeg=
if pkg-config --atleast-version=1.1 sndfile && command -v ffmpeg >/dev/null && encode plain.mp3 -c:a libmp3lame -b:a 128k -write_xing 0; then
    has_mpeg=1
    encode told.mp3 -c:a libmp3lame -q:a 2
    encode low.mp3 -ar 22050 -c:a libmp3lame -b:a 64k -write_xing 0
    encode layer2.mp2
    cat plain.mp3 plain.mp3 >both.mp3
    { cat plain.mp3 && printf TAG && head -c 125 /dev/zero; } >tagged.mp3
    ports=out=float
    part sound_in 'file="none" channels="2"'
    for file in plain.mp3 told.mp3 low.mp3 layer2.mp2 both.mp3 tagged.mp3; do
        run 0 sound_in/sound_in --out=y.raw -p Part.Read.file=$file
        ffmpeg -loglevel quiet -y -i $file -f f32le wanted </dev/null || fail "ffmpeg reads no $file"
        # Where two meet, ffmpeg loses a frame.
        "$python" -c "
import os
missing = os.stat('wanted').st_size - os.stat('y.raw').st_size
assert missing <= 0 and missing >= -9216, missing" || fail "$file has another length"
    done
fi
# Samples of more than 16 bits are rounded once, and what is too loud is cut.
"$python" - <<'END_OF_PYTHON'
import numpy, struct
nan, inf, least = float("nan"), float("inf"), 1e-9
for name, kind, x, wanted in (
        ("loud", "<f4", [1.5, -1.5, 0.25, 1e-9, 0.7 / 32768, -0.7 / 32768, nan, inf], [32767, -32768, 8192, 0, 1, -1, -32768, 32767]),
        ("double", "<f8", [(0.5 + least) / 32768, (1.5 - least) / 32768], [1, 1]),
        ("long", "<i4", [0x7ffe8001, 0x7ffd7fff], [32767, 32765])):
    x = numpy.array(x, kind)
    size, code = x.itemsize, 1 if x.dtype.kind == "i" else 3
    with open(name + "_samples.wav", "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 36 + x.nbytes) + b"WAVEfmt ")
        file.write(struct.pack("<IHHIIHH", 16, code, 2, 44100, 44100 * 2 * size, 2 * size, 8 * size))
        file.write(b"data" + struct.pack("<I", x.nbytes) + x.tobytes())
    numpy.save(name + ".npy", numpy.array(wanted, "i2"))
END_OF_PYTHON
for name in loud double long; do
    is_read shorts ${name}_samples.wav $name.npy
done

# ---- what is refused -----------------------------------------------------------------------------

sox a.wav mono.wav remix 1
sox a.wav slow.wav rate 8000 2>log
read_refused "mono.wav has 1 channels, and not 2" floats mono.wav
read_refused "slow.wav has 8000 frames a second, and not 44100" floats slow.wav
if [ -n "$has_mpeg" ]; then
    encode guessed.mp3 -c:a libmp3lame -q:a 2 -write_xing 0
    cat told.mp3 told.mp3 >joined.mp3
    head -c $(($(stat -c %s told.mp3) / 2)) told.mp3 >half.mp3
    for file in guessed joined; do
        run 1 floats/floats --out=y.npy -p Part.Read.file=$file.mp3
        expect "$file.mp3 does not say how long it is, or has more than it says" messages
    done
    run 1 floats/floats --out=y.npy -p Part.Read.file=half.mp3
    expect "frames before its end" messages
fi
cat a.ogg a.ogg >joined.ogg
read_refused "joined.ogg has several sounds, one behind the other" floats joined.ogg
for file in a.wav float.wav a.aiff a.au a.caf a.flac a.w64 a.rf64 a.ogg; do
    head -c $(($(stat -c %s $file) * 9 / 10)) $file >cut_$file
    head -c 30 $file >start_$file
done
read_refused "cut_a.wav is no sound file, or not all of it" floats cut_a.wav
read_refused "cut_float.wav is no sound file, or not all of it" floats cut_float.wav
for file in zero.wav zero_rifx.wav zero.au; do
    read_refused "$file does not say how long it is" floats $file
done
"$python" - <<'END_OF_PYTHON'
aiff = open("a.aiff", "rb").read()
for name, chunk, at in (("sound", b"SSND", 4), ("frames", b"COMM", 10)):
    at += aiff.index(chunk)
    open("long_" + name + ".aiff", "wb").write(aiff[:at] + b"\0\1\0\0" + aiff[at + 4:])
END_OF_PYTHON
for file in long_sound.aiff long_frames.aiff; do
    read_refused "$file is no sound file, or not all of it" floats $file
done
lie many.wav a.wav 22 '\377\377'        # channels
lie none.wav a.wav 22 '\0\0'            # none
lie fast.wav a.wav 24 '\377\377\377\177' # rate
lie long.wav a.wav 40 '\0\0\0\020'      # data
lie cut.wav a.wav 40 '\0\136\320\262'  # data, of nearly 3 GiB
lie code.wav a.wav 20 '\123\1'          # format
lie deep.wav a.wav 34 '\377\377'        # bits
lie chunk.wav a.wav 16 '\377\377\377\377' # length of "fmt "
lie count.flac a.flac 21 '\377\377\377'  # samples
lie crc.flac a.flac 9000 'damage damage damage'
lie long.caf a.caf 56 '\1'                # data
lie loop.caf a.caf 12 '\377\377\377\377\377\377\377\364' # "desc": back to itself
lie long.au a.au 8 '\1\0\0\0'
read_hostile floats cut_*.* start_*.* cut.wav many.wav none.wav fast.wav long.wav code.wav deep.wav chunk.wav \
    count.flac crc.flac long.au long.caf loop.caf
refuse_part "'double' is none of its values: float int16_t" sound_in 'file="a.wav" type="double"'
refuse_part "variable 'file'" sound_in 'channels="2"'

# ---- a signal -----------------------------------------------------------------------------------

printf '.snd\0\0\0\030\377\377\377\377\0\0\0\3\0\0\254\104\0\0\0\2' >endless.au
truncate -s 200G endless.au
stops floats endless.au
