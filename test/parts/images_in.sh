#!/usr/bin/env bash
# dal:images_in.xml reads what ffmpeg has written as PNG and JPEG: a file, or numbered ones. Pictures of other sizes, and files that
# are damaged, are refused by name.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/files_lib.sh"
need pkg:libpng pkg:libjpeg ffmpeg

"$python" -c '
import numpy
numpy.random.default_rng(1).integers(0, 256, (5, 48, 64, 3), "u1").tofile("colours")
numpy.random.default_rng(2).integers(0, 256, (5, 48, 64), "u1").tofile("greys")
(numpy.fromfile("colours", "u1")[:9216] * numpy.uint16(257)).astype(">u2").tofile("deep")'
convert() { # FORMAT FILE OPTION...
    local format=$1 file=$2
    shift 2
    ffmpeg -loglevel error -y -f rawvideo -pix_fmt "$format" -s 64x48 -i "$file" "$@" </dev/null || fail "ffmpeg makes no $*"
}
convert rgb24 colours -start_number 8 c_%03d.png
convert gray greys g%d.png
convert rgb48be deep deep.png
convert rgb24 colours -frames:v 1 -update 1 -pix_fmt rgba opaque.png
convert rgb24 colours -frames:v 1 -update 1 -pix_fmt rgba -flags +ildct passes.png
convert gray greys -frames:v 1 -update 1 -pix_fmt ya8 opaque_grey.png
convert rgb24 colours -frames:v 1 -update 1 -vf "format=rgba,geq=r=9:a='255-eq(X\,63)*eq(Y\,47)'" transparent.png
convert rgb24 colours -frames:v 1 -s 32x48 narrow.png
convert gray greys -frames:v 1 -pix_fmt monob bits.png
convert rgb24 colours -frames:v 1 -q:v 2 a.jpg

# is_read PROGRAM FILES WANTED [OPTION...]: an expression of what NumPy computes
is_read() {
    local program=$1 files=$2 wanted=$3
    shift 3
    run 0 "$program/$program" --out=y.npy -p "Part.Read.files=$files" "$@"
    [ ! -s messages ] || fail "it talks" messages
    "$python" -c "
import numpy
def load(name, *shape):
    return numpy.fromfile(name, 'u1').reshape(-1, *shape)
def grey(x):
    return ((x.astype('u4') * numpy.array([19595, 38470, 7471], 'u4')).sum(-1) + 32768 >> 16).astype('u1')
colours, greys, y = load('colours', 48, 64, 3), load('greys', 48, 64), numpy.load('y.npy')
y = y.reshape(-1, 48, 64, 3) if '$program' == 'rgb' else y.reshape(-1, 48, 64)
wanted = $wanted
assert y.shape == wanted.shape and numpy.array_equal(y, wanted), (y.shape, y, wanted)" || fail "$files: other pixels"
}
size='width="64" height="48"'
ports='out=uint8_t[3072]'
part images_in "files='none' $size"
mv images_in grey
mv grey/images_in grey/grey
ports='out=uint8_t[9216]'
part images_in "files='none' channels='3' $size"
mv images_in rgb
mv rgb/images_in rgb/rgb
is_read rgb c_%03d.png colours -p Part.Read.first=8
is_read rgb c_%03d.png 'colours[2:4]' -p Part.Read.first=10 -p Part.Read.count=2
is_read rgb c_008.png 'colours[:1]'
is_read rgb deep.png 'colours[:1]'
is_read rgb opaque.png 'colours[:1]'
is_read rgb passes.png 'colours[:1]'
is_read grey opaque_grey.png 'greys[:1]'
is_read rgb g%d.png 'greys[..., None].repeat(3, -1)' -p Part.Read.first=1
is_read grey g%d.png greys -p Part.Read.first=1
is_read grey c_%03d.png 'grey(colours)' -p Part.Read.first=8
ffmpeg -loglevel error -y -i bits.png -f rawvideo -pix_fmt gray bits </dev/null
is_read grey bits.png "load('bits', 48, 64)"
ffmpeg -loglevel error -y -i a.jpg -f rawvideo -pix_fmt rgb24 decoded </dev/null
run 0 rgb/rgb --out=y.raw -p Part.Read.files=a.jpg
"$python" -c "
import numpy
a, b = (numpy.fromfile(name, 'u1').astype(int) for name in ('decoded', 'y.raw'))
assert a.shape == b.shape and abs(a - b).mean() < 12, abs(a - b).mean()" || fail "another JPEG"

# A progressive picture is held as a whole while it is decoded.
cat >progressive.c <<'END_OF_C'
#include <stdio.h>
#include <string.h>

#include <jpeglib.h>

int main(void)
{
    static unsigned char row[3 * 4000];
    struct jpeg_error_mgr errors;
    struct jpeg_compress_struct jpeg = {.err = jpeg_std_error(&errors)};
    JSAMPROW rows[] = {row};

    memset(row, 200, sizeof(row));
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, stdout);
    jpeg.image_width = 4000;
    jpeg.image_height = 3000;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg.comp_info[0].h_samp_factor = jpeg.comp_info[0].v_samp_factor = 1;
    jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height)
        jpeg_write_scanlines(&jpeg, rows, 1);
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    return 0;
}
END_OF_C
# shellcheck disable=SC2046 # these are options
${CC:-cc} -o progressive progressive.c $(pkg-config --cflags --libs libjpeg) >log 2>&1 || fail "no progressive picture" log
./progressive >progressive.jpg
ports='out=uint8_t[12000000]'
part images_in 'files="progressive.jpg" width="4000" height="3000"'
run 0 images_in/images_in --out=y.raw
[ "$(stat -c %s y.raw)" -eq 12000000 ] && [ "$(tr -d '\310' <y.raw | wc -c)" -eq 0 ] || fail "another progressive picture"
rm -r images_in y.raw

# ---- what is refused -----------------------------------------------------------------------------

refused() { # TEXT FILES [OPTION...]
    local text=$1 files=$2
    shift 2
    rm -f y.npy
    run 1 rgb/rgb --out=y.npy -p "Part.Read.files=$files" "$@"
    expect "$text" messages
    [ ! -e y.npy ] || fail "$text: there is an output"
}
refused "narrow.png: it has 32 x 48 pixels, and not 64 x 48" narrow.png
refused "transparent.png: it is transparent" transparent.png
refused "c_000.png: No such file or directory" c_%03d.png
refused "c_013.png: No such file or directory" c_%03d.png -p Part.Read.first=8 -p Part.Read.count=6
refused "c_%03d_%d.png: a name may have one number" c_%03d_%d.png
for pattern in %s %n %1000d %0d %03x 100% %00d %-3d '%*d'; do
    refused "a name may have one number" "$pattern.png"
done
run 2 rgb/rgb --out=y.npy -p Part.Read.first=-1
expect 'parameter Part.Read.first=-1: "-1" is out of range: it must be from 0 to 999999999' messages
for file in c_008.png a.jpg; do
    for bytes in 1 3 8 20 40 500 2000; do
        head -c $bytes $file >cut_${bytes}_$file
        refused "cut_${bytes}_$file" cut_${bytes}_$file
    done
done
# lie NAME FILE AT BYTES: a file with other bytes at a place
lie() {
    cp "$2" "$1"
    printf "$4" | dd of="$1" bs=1 seek="$3" conv=notrunc status=none
    refused "$1" "$1"
}
lie wide.png c_008.png 16 '\177\377\377\377'
lie high.png c_008.png 20 '\377\377\377\377'
lie none.png c_008.png 16 '\0\0\0\0'
lie depth.png c_008.png 24 '\21'
lie crc.png c_008.png 3000 'damage damage'
lie chunk.png c_008.png 33 '\377\377\377\377'
at=$("$python" -c 'print(open("a.jpg", "rb").read().index(b"\xff\xc0") + 5)')
lie wide.jpg a.jpg $((at + 2)) '\377\377'
lie none.jpg a.jpg $at '\0\0'
lie parts.jpg a.jpg $((at + 4)) '\377'
mkfifo pipe.png
mkdir folder.png
echo "no picture" >text.png
: >empty.png
refused "pipe.png is no ordinary file" pipe.png
refused "folder.png is no ordinary file" folder.png
refused "text.png: it is neither PNG nor JPEG" text.png
refused "empty.png: it is neither PNG nor JPEG" empty.png
refuse_part "width: 0 is too small" images_in "files='a' width='0' height='1'"
ports='out=uint8_t[6144]'
network images_in "files='a' channels='2' $size"
run 1 "$dalsynth" -o refused images_in.xml
expect "channels of images_in is 1 or 3" messages

# ---- a signal -----------------------------------------------------------------------------------

mkdir many
"$python" -c '
import os
for i in range(20000):
    os.link("c_008.png", f"many/{i}.png")'
stops rgb many/%d.png files
