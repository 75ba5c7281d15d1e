#!/usr/bin/env bash
# The photon counter: what it finds against the photons that were drawn and against the double-precision reference, the same
# bytes on every mapping, dark frames and photons by the state machine, and what it refuses.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

app=$source/apps/photon
size="-D width=96 -D height=48"
command -v python3 >/dev/null || skip "python3 is missing"

"$dalinfo" --architecture -o one.xml
cores=$(grep -c 'name="core_[0-9]*" type' one.xml)
second=core_$((cores > 1 ? 1 : 0))

# calibrate NAME: NAME.calibration, from its dark frames
calibrate() {
    run 0 calibrate/calibrate --strict -p "Darks.input=$1.dark" -p "Keep.gains=$1.gains" -p "Keep.output=$1.calibration"
}

# What the network writes; the parameter of each is told by `count`.
outputs="image list few more most largest drift"

# count FOLDER NAME [ARGUMENT]...: made.image and so on; the folder was synthesised
count() {
    rm -f made.*
    run 0 "$1/photon" --strict -p "Source.input=$2.frames" -p "Source.calibration=$2.calibration" \
        -p Sink.image=made.image -p Sink.list=made.list -p Stack.few=made.few -p Stack.more=made.more \
        -p Record.most=made.most -p Record.largest=made.largest -p Record.drift=made.drift "${@:3}"
}

# alike NAME WHAT [OUTPUT...]: what was made has the bytes of NAME.image and so on
alike() {
    local output
    for output in ${3:-$outputs}; do
        cmp "made.$output" "$1.$output" || fail "$2: other bytes" made messages
    done
    passed=$((passed + 1))
}

# judged NAME [OPTION-OF-MKPHOTON]...: makes, calibrates, counts and judges a recording; the verdict is in `output`
judged() {
    run 0 "$build/apps/photon/mkphoton" -w 96 -h 48 "${@:2}" "$1"
    cp messages "$1.made"
    calibrate "$1"
    count core0 "$1"
    for name in $outputs; do
        cp "made.$name" "$1.$name"
    done
    run 0 python3 "$app/reference.py" "$1" "$1.calibration" made.image made.list made
    for what in "masked otherwise: 0" "list in order: True" "counts not explained: 0" "clusters not explained: 0"; do
        grep -qx "$what" output || fail "$1: not $what" output
    done
    for what in "calibration off by 0.001" "counts otherwise 1" "clusters otherwise 2" "cluster sums off by 0.001" \
        "few off by 0.01" "more off by 0.01" "most off by 0.01" "largest off by 0.001" "drift off by 0.01"; do
        at_most "${what% *}" "${what##* }"
    done
}

at_most() { # WHAT NUMBER: in the `output` of the reference
    awk -F ': ' -v what="$1" -v most="$2" '$1 == what { found = 1; bad = !($2 <= most) } END { exit !found || bad }' output ||
        fail "$1: more than $2" output
    passed=$((passed + 1))
}

at_least() {
    awk -F ': ' -v what="$1" -v least="$2" '$1 == what { found = 1; bad = !($2 >= least) } END { exit !found || bad }' output ||
        fail "$1: less than $2" output
    passed=$((passed + 1))
}

value() {
    sed -n "s/^$1: //p" output
}

is() { # WHAT NUMBER
    [ "$(value "$1")" = "$2" ] || fail "$1 is not $2" output
    passed=$((passed + 1))
}

# ---- what comes out is what was drawn --------------------------------------------------------------------

# shellcheck disable=SC2086 # words
synthesise -o calibrate $size "$app/calibrate.xml" one.xml "$app/map-calibrate.xml"
# shellcheck disable=SC2086 # words
synthesise -o core0 $size "$app/photon.xml" one.xml "$app/map-core0.xml"

# With noise, each photon of the stages 0 and 1 is found, and none that was not there. In stage 2 a photon is about
# as large as the step of the ADC and the noise: within 2 a frame.
judged plain -n 30 -k 30
at_least "pixels in stages 0 and 1" 4500
at_most "of them not the truth" 0
# Sums too have the photons that were drawn, and the largest energy of each frame those of its brightest pixel.
is "few of them" 15
is "more of them" 3
is "most of them" 0
is "largest of them" 30
at_most "few not the truth" 0
at_most "more not the truth" 0
at_most "largest photons off by" 3
is "masked" 0
at_least "pixels in stage 2" 3
at_most "worst of them a frame" 2
at_least "lone photons" 200
at_least "lone photons found" "$(value "lone photons")"
at_most "false clusters" 14 # of 1e5 pixels: 1e-4

judged quiet -n 10 -k 3 -s 0
at_most "of them not the truth" 0
at_most "worst of them a frame" 2
at_most "false clusters" 0

judged still -n 100 -k 10 -s 0.3
is "few of them" 50
is "most of them" 1
at_most "more not the truth" 0
at_most "most not the truth" 0

# Pedestals that drift: the network follows, or its sums would be off by a keV and more.
judged drift -n 100 -k 30 -d 0.1 -r 0.5
at_most "of them not the truth" 0
at_least "lone photons" 100
at_least "dark pixels" 2000
# In frame k the detector's pedestals have gone 0.1 * k; those of the network come behind by a 100th of what is left.
gone=$(awk 'BEGIN { for (k = 0; k < 100; k++) ped += (0.1 * k - ped) / 100; print ped }')
at_least "drift of them" "$(awk "BEGIN { print $gone - 0.15 }")"
at_most "drift of them" "$(awk "BEGIN { print $gone + 0.15 }")"

# Charge that is shared is lost to a pixel that counts by itself, and not to a cluster. Broken pixels are masked: these
# and no others.
judged shared -n 30 -k 30 -c 0.3 -b 20
at_least "photons missed" 200
at_least "masked" 15
at_most "masked" 20
at_least "invalid" 50
at_least "lone photons" 100
lone=$(value "lone photons")
at_least "lone photons found" $((lone * 99 / 100))
at_most "false clusters" 14

# The mask has the pixels that are broken, and no others: mkphoton says how many it has broken, and the calibration and the
# reference find as many. They have no photons; the others have theirs.
broken=$(sed -n 's/.*: \([0-9]*\) pixels are broken$/\1/p' shared.made)
[ "${broken:-0}" -ge 15 ] || fail "mkphoton breaks too few pixels" shared.made
is "masked" "$broken"
is "photons in masked pixels" 0
at_least "photons" 1000
calibrate shared
expect "calibrated; $broken pixels are masked" messages
judged whole -n 3 -k 8 -b 0
is "masked" 0
at_least "photons" 1000
judged all-broken -n 3 -k 8 -b 1000000
is "masked" 4608 # all of 96 x 48
is "photons" 0
is "clusters" 0

# The largest of energies that are all below 0 is one of them, not 0: words of 0, with no pixel masked.
{ head -c 48 whole.frames && head -c $((2 * 96 * 48)) /dev/zero; } >dark.frames
printf '\001' | dd of=dark.frames bs=1 seek=16 conv=notrunc 2>/dev/null
count core0 whole -p Source.input=dark.frames
python3 -c 'import struct; print("largest:", *struct.unpack("<f", open("made.largest", "rb").read()[32:]))' >output
at_most largest -30
at_least largest -60

# ---- the same bytes on every mapping ---------------------------------------------------------------------

same() { # NAME [OPTION...]: synthesises photon.xml with NAME.xml; `compared` has the outputs that do not depend on options
    is_next || return 0
    # Sanitizers see each source for cores once.
    [ -z "${DAL_SANITIZER:-}" ] || [[ $1 = @(cores|portable-cores|openmp) ]] || return 0
    # shellcheck disable=SC2086 # words
    synthesise -o program $size "${@:2}" "$app/photon.xml" "${machine:-one.xml}" "$1.xml"
    count program shared
    alike shared "$*" "${compared:-}"
    echo "same bytes: $*"
    rm -rf program
}

kernels() { # SOURCE PROCESSOR...
    mapping "* 0 core_0" "Correct $1 $2" "Count $1 $3" "Cluster $1 $4" "Sum $1 $3" "Total $1 $2" "Largest $1 $4" "Drift $1 $3"
}

cp "$app/map-core0.xml" core0.xml
compared="image list few more largest drift" same core0 -D rows=24 -D frames=20 -D most=20
compared="image list largest drift" same core0 -D frames=7 -D few=1 -D more=7 -D most=7
compared="image list largest drift" same core0 -D rows=24 -D frames=1 -D few=1 -D more=1 -D most=1
cp "$app/map-cores.xml" cores.xml
same cores
kernels 2 core_0 "$second" "core_*" >portable-cores.xml
same portable-cores -D rows=4
if has_device one.xml; then
    cp "$app/map-opencl.xml" opencl.xml
    same opencl
    compared="image list few largest drift" same opencl -D rows=6 -D frames=4 -D more=4 -D most=4
    kernels 2 device_0 device_0 device_0 >portable-device.xml
    same portable-device
    mapping "* 0 core_0" "Correct 1 device_0" "Cluster 1 device_0" >partly.xml
    same partly
else
    echo "no OpenCL device: the kernels are not tried"
fi

# CUDA, in the driver that stands in for it.
if use_standin; then
    architecture core_0 cuda_0 >cuda-machine.xml
    cp "$app/map-cuda.xml" cuda.xml
    compared="image list few largest drift" machine=cuda-machine.xml same cuda -D rows=6 -D frames=4 -D more=4 -D most=4
    unset DAL_CUDA_DRIVER DAL_CUDA_COMPILER
else
    echo "the stand-in for CUDA is not tried"
fi

# The energies are read by six channels, and nobody copies them.
run 0 env DAL_STATS=1 core0/photon -p Source.input=shared.frames -p Source.calibration=shared.calibration
awk '$2 == "core" && /^(energies|shared|shared_before|summed|compared) / { n++; copied += $5; there += $6 > 0 }
    END { exit n != 5 || copied != 0 || there != 5 }' messages || fail "energies are copied" messages
passed=$((passed + 1))

# OpenMP: teams of any size, in the same order.
if echo '#include <omp.h>' | ${CC:-cc} -fopenmp -E - >/dev/null 2>&1; then
    cp "$app/map-openmp.xml" openmp.xml
    same openmp
    ! grep -q openmp-order made || fail "sums without an order" made
    sed 's/threads="4"/threads="2"/' openmp.xml >openmp-two.xml
    compared="image list few largest drift" same openmp-two -D rows=3 -D frames=4 -D more=4 -D most=4
else
    echo "no OpenMP: teams are not tried"
fi

# A list that is too short says so, and has the first ones of each row.
# shellcheck disable=SC2086 # words
synthesise -o short $size -D clusters=1 "$app/photon.xml" one.xml core0.xml
count short shared
! grep -q "(0 more had no room)" messages || fail "nothing is told of clusters without room" messages
rm -rf short

# ---- dark frames and photons, by the state machine -------------------------------------------------------

for name in calibrate photon; do
    sed 's|name="width" value="1024"|name="width" value="96"|; s|name="height" value="512"|name="height" value="48"|' \
        "$app/$name.xml" >$name.xml
done
cp "$app"/*.c "$app"/*.h "$app"/*.cl "$app"/map-*.xml "$app/detector.xml" .
synthesise --fsm -o detector detector.xml one.xml
files="-p calibrate.Darks.input=shared.dark -p calibrate.Keep.gains=shared.gains -p calibrate.Keep.output=new.calibration
    -p photon.Source.input=shared.frames -p photon.Source.calibration=new.calibration"
# shellcheck disable=SC2086 # words
run 0 detector/detector $files -p photon.Sink.image=image -p photon.Sink.list=list
cp image made.image && cp list made.list
alike shared "the state machine" "image list"
cmp new.calibration shared.calibration || fail "the state machine makes another calibration" messages
# shellcheck disable=SC2086 # words
run 1 detector/detector $files -p calibrate.Darks.input=none.dark
expect "none.dark: No such file" messages

# ---- what it refuses -------------------------------------------------------------------------------------

refused() { # TEXT ARGUMENT...
    run 1 core0/photon -p Source.input=plain.frames -p Source.calibration=plain.calibration "${@:2}"
    expect "$1" messages
    passed=$((passed + 1))
}
head -c 20000 plain.frames >cut.frames
head -c 20 plain.frames >stub.frames
head -c 20000 plain.calibration >cut.calibration
{ cat plain.frames && printf x; } >long.frames
{ head -c 24 plain.frames | head -c 16 && printf '\0\0\0\0' && head -c 32 plain.frames | tail -c 12; } >none.frames
{ head -c 32 plain.calibration && printf '\0\0\300\177' && tail -c +37 plain.calibration; } >nan.calibration
run 0 "$build/apps/photon/mkphoton" -w 48 -h 96 -n 2 -k 2 turned
mkfifo pipe
refused 'no file of "dalframe" is named' -p Source.input=
refused 'no file of "dalcalib" is named' -p Source.calibration=
refused "missing: No such file" -p Source.input=missing
refused "pipe is not a file" -p Source.input=pipe
refused ". is not a file" -p Source.input=.
refused "cut.frames has 20000 bytes, not the 276992 that its head says" -p Source.input=cut.frames
refused "long.frames has 276993 bytes" -p Source.input=long.frames
refused 'stub.frames is no file of "dalframe"' -p Source.input=stub.frames
refused 'plain.calibration is no file of "dalframe"' -p Source.input=plain.calibration
refused "none.frames has no frames" -p Source.input=none.frames
refused "turned.frames has 48 x 96 pixels, not 96 x 48" -p Source.input=turned.frames
refused "cut.calibration has 20000 bytes" -p Source.calibration=cut.calibration
refused "nan.calibration has a number that is not finite" -p Source.calibration=nan.calibration
refused "loop is how often the frames are played, or 0, not -1" -p Source.loop=-1
refused 'parameter loop is "x", not an integer' -p Source.loop=x
refused "none/image: No such file" -p Sink.image=none/image
refused 'plain.frames is there and is no file of "dalimage": it is not written over' -p Sink.image=plain.frames
refused 'plain.frames is there and is no file of "dalstack": it is not written over' -p Stack.more=plain.frames
refused 'plain.frames is there and is no file of "daldrift": it is not written over' -p Record.drift=plain.frames
refused "none/largest: No such file" -p Record.largest=none/largest
if [ -e /dev/full ]; then
    refused "cannot be written" -p Sink.image=/dev/full
    refused "cannot be written" -p Stack.few=/dev/full
    refused "cannot be written" -p Record.drift=/dev/full
fi
refuse "width is a multiple of 16" -D width=100 "$app/photon.xml" one.xml core0.xml
refuse "few divides more, more divides most, and most divides frames" -D few=3 "$app/photon.xml" one.xml core0.xml
refuse "rows is 2 or more, and divides height" -D rows=7 "$app/photon.xml" one.xml core0.xml

no_calibration() { # TEXT ARGUMENT...
    run 1 calibrate/calibrate -p Darks.input=plain.dark -p Keep.gains=plain.gains -p Keep.output=x.calibration "${@:2}"
    expect "$1" messages
    [ ! -e x.calibration ] || fail "a calibration is written all the same"
    passed=$((passed + 1))
}
no_calibration "plain.frames has no dark frames of all three stages" -p Darks.input=plain.frames
no_calibration "turned.gains has 48 x 96 pixels" -p Keep.gains=turned.gains
no_calibration "cut.frames has 20000 bytes" -p Darks.input=cut.frames
no_calibration "no file: -p Keep.output=FILE names one" -p Keep.output=
no_calibration "sigmas is from 1 to 1000, not 0" -p Keep.sigmas=0
no_calibration 'plain.dark is there and is no file of "dalcalib"' -p Keep.output=plain.dark

for wrong in "-w 0 x" "-n x x" "-c 0.6 x" "-q x" ""; do
    # shellcheck disable=SC2086 # words
    run 2 "$build/apps/photon/mkphoton" $wrong
done
run 1 "$build/apps/photon/mkphoton" -w 16 -h 8 none/x
run 1 python3 "$app/reference.py" none none none none

# ---- the box filter --------------------------------------------------------------------------------------

cat >box.py <<'END_TEXT'
import array, struct, sys
width, height, radius = 96, 48, int(sys.argv[1])
words = array.array("H", open("plain.frames", "rb").read()[48 : 48 + 2 * width * height])
part = struct.unpack("f", struct.pack("f", 1 / (2 * radius + 1) ** 2))[0]
for y in range(height):
    for x in range(width):
        rows = range(max(0, y - radius), min(height, y + radius + 1))
        ends = max(0, x - radius), min(width, x + radius + 1)
        total = sum(w & 0x3FFF for i in rows for w in words[i * width + ends[0] : i * width + ends[1]])
        rounded = struct.unpack("f", struct.pack("f", total))[0]
        sys.stdout.buffer.write(struct.pack("f", rounded * part))
END_TEXT
boxes="0:core_0 1:core_0 4:core_0"
[ -n "${DAL_SANITIZER:-}" ] || ! has_device one.xml || boxes+=" 2:device_0 3:device_0 4:device_0"
! echo '#include <omp.h>' | ${CC:-cc} -fopenmp -E - >/dev/null 2>&1 || boxes+=" 0:core_0:threads=\"4\" 1:core_0:threads=\"4\""
number_of_radius=0
for radius in 0 1 6 128; do # of 0 and 128, what they do at edges alone; each box has two of them
    python3 box.py $radius >wanted
    number_of_radius=$((number_of_radius + 1)) number_of_box=0
    for box in $boxes; do
        number_of_box=$((number_of_box + 1))
        [ $(((number_of_radius + number_of_box) % 2)) = 0 ] && is_next || continue
        IFS=: read -r number processor threads <<<"$box"
        mapping "* 0 core_0" "Box $number $processor ${threads:-}" >box.xml
        # shellcheck disable=SC2086 # words
        synthesise -o box $size -D radius=$radius "$app/box.xml" one.xml box.xml
        run 0 box/box --strict -p Frames.input=plain.frames --means=means
        cmp -n $((4 * 96 * 48)) means wanted || fail "box filter $box of radius $radius: other bytes"
        passed=$((passed + 1))
        rm -rf box
    done
done
# shellcheck disable=SC2086 # words
synthesise -o box $size "$app/box.xml" one.xml "$app/map-box.xml"
run 1 box/box -p Frames.input=turned.frames --means=means
expect "turned.frames has 48 x 96 pixels" messages
refuse "radius is from 0 to 128" -D radius=129 "$app/box.xml" one.xml "$app/map-box.xml"

# ---- the loop by hand ------------------------------------------------------------------------------------

run 0 "$build/apps/photon/mkphoton" -n 3 -k 3 -c 0.2 large
synthesise -o large-calibrate "$app/calibrate.xml" one.xml "$app/map-calibrate.xml"
run 0 large-calibrate/calibrate -p Darks.input=large.dark -p Keep.gains=large.gains -p Keep.output=large.calibration
synthesise -o large "$app/photon.xml" one.xml core0.xml
count large large
photons=$(sed -n 's/ (.*//p' messages)
run 0 "$build/apps/photon/loop" 1 large.calibration large.frames loop.image
expect "$photons" messages
cmp made.image loop.image || fail "the loop makes another image"
run 1 "$build/apps/photon/loop" 1 large.calibration plain.frames
run 2 "$build/apps/photon/loop" 0 large.calibration large.frames

echo "$passed comparisons"
