#!/usr/bin/env bash
# dal:sound_out.xml writes what sox and flac read, to the last sample. A file has its name when it is whole, and not before.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/files_lib.sh"
need pkg:sndfile sox flac

# numbers NAME TYPE: 20002 samples, in NAME.npy and NAME.raw
numbers() {
    "$python" -c "
import numpy
x = numpy.random.default_rng(1).integers(-32768, 32768, 20002).astype('<i2')
x[:4] = -32768, 32767, 0, 1
if '$2' == 'f4':
    x = x.astype('<f4') / numpy.float32(32768)
x.tofile('$1.raw')
numpy.save('$1.npy', x)"
}
numbers floats f4
numbers shorts i2

# is_written PROGRAM FILE HOW...: sox reads from the file what was handed in
is_written() {
    local program=$1 file=$2
    shift 2
    run 0 "$program/$program" --in="$program.npy" -p "Part.Write.file=$file"
    [ ! -s messages ] || fail "it talks" messages
    sox -V1 "$file" -t raw "$@" got 2>log || fail "sox reads no $file" log
    cmp got "$program.raw" || fail "$file: other samples"
    [ "$(soxi -V1 -c "$file") $(soxi -V1 -r "$file")" = "2 44100" ] || fail "$file: another header"
}
ports=in=float
part sound_out 'file="none.wav" channels="2" rate="44100"'
mv sound_out floats
mv floats/sound_out floats/floats
ports=in=int16_t
part sound_out 'file="none.wav" type="int16_t" channels="2" rate="44100"'
mv sound_out shorts
mv shorts/sound_out shorts/shorts
is_written shorts a.w64 -e signed -b 16
for file in a.wav a.aiff a.au A.FLAC; do
    is_written shorts $file -e signed -b 16
    is_written floats $file -e float -b 32
done
mkdir folder
name=$(printf 'x%.0s' {1..251})
for file in "$name.wav" "folder/$name.wav"; do
    is_written shorts "$file" -e signed -b 16
done
[ "$(echo x*)" = "$name.wav" ] || fail "a long name: something is left" <(ls)
flac --silent --test A.FLAC 2>log || fail "flac does not like it" log
cp a.wav again.wav
run 0 floats/floats --in=floats.npy -p Part.Write.file=again.wav
cmp a.wav again.wav || fail "the same samples are another file"
ln -s folder/there.wav link.wav
for what in made written; do
    is_written shorts link.wav -e signed -b 16
    [ -L link.wav ] && cmp folder/there.wav link.wav || fail "the file behind a link is not $what"
done
"$python" -c "import numpy; numpy.save('loud.npy', numpy.array([2, -2, 0.5, 0], 'f4'))"
run 0 floats/floats --in=loud.npy -p Part.Write.file=loud.flac
sox -V1 loud.flac -t raw -e signed -b 16 -D got
"$python" -c "
import numpy
assert list(numpy.fromfile('got', '<i2')) == [32767, -32768, 16384, 0]" || fail "what is too loud is not cut" <(od -An -td2 got)
run 0 floats/floats --in=floats.npy -p Part.Write.file=a.ogg
[ "$(soxi -t a.ogg) $(soxi -c a.ogg)" = "vorbis 2" ] || fail "no Ogg"
for program in floats shorts; do
    run 0 $program/$program --in=$program.npy -p Part.Write.file=$program.caf
    [ "$(head -c 4 $program.caf)" = caff ] || fail "no CAF"
    if pkg-config --atleast-version=1.1 sndfile; then
        run 0 $program/$program --in=$program.npy -p Part.Write.file=a.mp3
        [ "$(head -c 1 a.mp3 | od -An -tx1)" = " ff" ] || fail "no MP3"
    fi
done
for count in 0 1; do
    "$python" -c "import numpy; numpy.save('few.npy', numpy.zeros(2 * $count, 'f4'))"
    for ending in wav au w64 aiff; do
        run 0 floats/floats --in=few.npy -p Part.Write.file=few.$ending
        [ $ending = aiff ] || [ "$(soxi -V1 -s few.$ending)" = $count ] || fail "few.$ending has not $count frames"
    done
    "$python" -c "
comm = open('few.aiff', 'rb').read().split(b'COMM')[1] # of which sox reads nothing where there is no sample
assert int.from_bytes(comm[6:10], 'big') == $count" || fail "few.aiff has not $count frames"
done

# ---- what is refused -----------------------------------------------------------------------------

cp floats.npy x.npy
write_refused "a.mp5 ends in none of .wav" floats a.mp5
write_refused ".wav ends in none of .wav" floats .wav
write_refused "nowhere/a.wav cannot be written: No such file or directory" floats nowhere/a.wav
mkdir folder.wav
write_refused "folder.wav cannot be written: it is there, and no ordinary file" floats folder.wav
"$python" -c "import numpy; numpy.save('x.npy', numpy.tile(numpy.load('floats.npy'), 10))"
keeps_mode floats mode.wav
for ending in wav flac ogg mp3; do
    [ $ending != mp3 ] || pkg-config --atleast-version=1.1 sndfile || continue
    stays_when_full floats full.$ending
done
stays_old floats old.wav f4
ln -s folder/none.wav none.wav
run 1 floats/floats --in=x.npy -p Part.Write.file=none.wav
[ -L none.wav ] && [ ! -e folder/none.wav ] || fail "a run that failed has made a file behind a link"
"$python" -c "import numpy; numpy.save('x.npy', numpy.array([], 'f4'))"
for ending in flac mp3; do
    [ $ending != mp3 ] || pkg-config --atleast-version=1.1 sndfile || continue
    write_refused "new.$ending cannot be written: there are no samples, and such a file has some" floats new.$ending
done
too_loud="a sample is louder than 1000000"
for wrong in "nan:a sample is no number:flac ogg mp3" "3e38:$too_loud:ogg mp3" "inf:$too_loud:ogg mp3"; do
    "$python" -c "import numpy; numpy.save('x.npy', numpy.array([0, 0.5, float('${wrong%%:*}'), 0], 'f4'))"
    what=${wrong#*:}
    for ending in ${what#*:}; do
        [ $ending != mp3 ] || pkg-config --atleast-version=1.1 sndfile || continue
        write_refused "new.$ending cannot be written: ${what%:*}" floats new.$ending
    done
    run 0 floats/floats --in=x.npy -p Part.Write.file=odd.wav
done
run 0 floats/floats --in=x.npy -p Part.Write.file=loudest.flac
refuse_part "channels: 0 is too small" sound_out 'file="a.wav" channels="0"'
refuse_part "variable 'file'" sound_out 'channels="2"'
ports=in=float
part sound_out 'file="a.flac" channels="9"'
run 1 sound_out/sound_out --in=floats.npy
expect "a.flac: a file of this kind has no 9 channels of 48000 samples a second" messages
