#!/usr/bin/env bash
# dal:images_out.xml writes pictures that ffmpeg reads: PNG to the last pixel, JPEG nearly. Each has its name when it is whole.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/files_lib.sh"
need pkg:libpng pkg:libjpeg ffmpeg

"$python" -c '
import numpy
y, x = numpy.mgrid[:48, :64]
grey = numpy.stack([(x * 2 + y + 9 * i) % 200 for i in range(3)]).astype("u1")
colours = numpy.stack([grey, 255 - grey, grey // 2], -1)
numpy.save("grey.npy", grey.reshape(3, -1))
numpy.save("rgb.npy", colours.reshape(3, -1))'

# is_written PROGRAM FILES FIRST FORMAT MOST: ffmpeg reads three pictures that differ at most by so much
is_written() {
    run 0 "$1/$1" --in="$1.npy" -p "Part.Write.files=$2"
    [ ! -s messages ] || fail "it talks" messages
    ffmpeg -loglevel error -y -start_number "$3" -i "$2" -f rawvideo -pix_fmt "$4" got </dev/null || fail "ffmpeg reads no $2"
    "$python" -c "
import numpy
x, y = numpy.load('$1.npy').astype(int).ravel(), numpy.fromfile('got', 'u1').astype(int)
assert x.shape == y.shape and abs(x - y).max() <= $5, (x.shape, y.shape, abs(x - y).max())" || fail "$2: other pixels"
}
size='width="64" height="48"'
ports='in=uint8_t[3072]'
part images_out "files='none.png' first='7' $size"
mv images_out grey
mv grey/images_out grey/grey
ports='in=uint8_t[9216]'
part images_out "files='none.png' channels='3' quality='95' $size"
mv images_out rgb
mv rgb/images_out rgb/rgb
is_written grey g_%04d.png 7 gray 0
[ "$(echo g_*)" = "g_0007.png g_0008.png g_0009.png" ] || fail "other numbers" <(ls)
is_written rgb c%d.PNG 0 rgb24 0
is_written grey g%02d.jpg 7 gray 12
is_written rgb c%d.jpeg 0 rgb24 80
run 0 rgb/rgb --in=rgb.npy -p Part.Write.files=last.png
cmp last.png c2.PNG || fail "one file does not have the last picture"
small=$(stat -c %s c0.jpeg)
ports='in=uint8_t[9216]'
part images_out "files='low.jpg' channels='3' quality='5' $size"
run 0 images_out/images_out --in=rgb.npy
[ "$(stat -c %s low.jpg)" -lt "$small" ] || fail "quality does nothing"

# ---- what is refused -----------------------------------------------------------------------------

cp rgb.npy x.npy
write_refused "a.gif ends in none of .png, .jpg and .jpeg" rgb a.gif files
write_refused "nowhere/0.png cannot be written: No such file or directory" rgb nowhere/%d.png files
write_refused "%d%d.png: a name may have one number" rgb %d%d.png files
write_refused "%s.png: a name may have one number" rgb %s.png files
keeps_mode rgb mode.png files
mkdir 1.png
run 1 rgb/rgb --in=x.npy -p Part.Write.files=%d.png
expect "1.png cannot be written: it is there, and no ordinary file" messages
[ "$(echo [0-9].png*)" = "0.png 1.png" ] || fail "something is left" <(ls)
refuse_part "height: 0 is too small" images_out "files='a.png' width='1' height='0'"
refuse_part "quality: 101 is too large" images_out "files='a.png' quality='101' $size"
ports='in=uint8_t[6144]'
network images_out "files='a.png' channels='2' $size"
run 1 "$dalsynth" -o refused images_out.xml
expect "channels of images_out is 1 or 3" messages

# Two that write pictures of the same names are refused, though never at the same one; numbers that do not meet are not.
# both NUMBER-OF-THE-FIRST-ONE: makes the program both
both() {
    cat >both.xml <<END
<processnetwork name="both">
  <port type="input" name="in" tokentype="uint8_t"/>
  <network name="A" source="dal:images_out.xml" files="b%d.png" width="1" height="1" first="$1"/>
  <network name="B" source="dal:images_out.xml" files="./b%d.png" width="1" height="1"/>
  <channel from="in" to="A.in"/>
  <channel from="in" to="B.in"/>
</processnetwork>
END
    synthesise -o both both.xml
}
head -c 500 /dev/zero >many
head -c 100 /dev/zero >few
both 100
run 0 both/both --in=few
[ "$(echo b*.png | wc -w)" = 200 ] || fail "other pictures than 200" <(ls)
run 1 both/both --in=many
expect "b100.png cannot be written: another process or port of the network writes it" messages
both 0
run 1 both/both --in=many
expect "b0.png cannot be written: another process or port of the network writes it" messages
[ -z "$(find . -name '*.tmp')" ] || fail "something is left" <(ls)
