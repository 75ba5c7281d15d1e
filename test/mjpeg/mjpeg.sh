#!/usr/bin/env bash
# The promise of the model on the MJPEG pipeline: the same bytes on every mapping. What Screen sees
# is compared with the plain loop of apps/mjpeg/reference.c, which knows nothing of the framework.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

app=$source/apps/mjpeg

# same NAME WIDTH HEIGHT CLIP ARCHITECTURE: synthesises NAME.xml and compares the bytes; of mappings of one clip, a part
same() {
    [ "$4" != small.mjpeg ] || is_next || return 0
    synthesise -o program -D "width=$2" -D "height=$3" "$app/mjpeg.xml" "$5" "$1.xml"
    run 0 program/mjpeg --strict -p "Split.input=$4" -p "Screen.dump=dump"
    cmp dump expected || fail "$1: other bytes" made messages
    passed=$((passed + 1))
    echo "same bytes: $1"
    rm -rf program dump
}

# reference WIDTH HEIGHT CLIP FRAMES: makes `expected` and checks how many frames it has
reference() {
    run 0 "$build/apps/mjpeg/reference" "$1" "$2" "$3" expected
    [ "$(stat -c %s expected)" -eq $(($1 * $2 * 2 * $4)) ] || fail "the reference has not $4 frames of $1x$2" output
}

filters() { # PROCESSOR-AND-ATTRIBUTES [ELEMENT]...: a mapping with the three filters as kernels, the rest on core_0
    mapping "* 0 core_0" "Gauss 1 $1" "Sobel 1 $1" "Opticalflow 1 $1" "${@:2}"
}

"$dalinfo" --architecture -o one.xml
cores=$(grep -c 'name="core_[0-9]*" type' one.xml)
second=core_$((cores > 1 ? 1 : 0))

# A second file of another, odd size, with optimal Huffman tables and restart markers.
small=small.mjpeg
"$build/apps/mjpeg/mkvideo" -s 161x97 -n 61 -O -r 5 -m 2,1 "$small"
reference 161 97 "$small" 61

cp "$app/map-core0.xml" core0.xml
cp "$app/map-cores.xml" cores.xml
mapping "* 0 core_0" "Dec_1 0 $second" "Sobel 0 $second" "Opticalflow 0 $second" >two-cores.xml
for name in core0 cores two-cores; do
    same "$name" 161 97 "$small" one.xml
done

has_device one.xml || fail "no OpenCL device: the mappings on devices cannot be tried"
for copies in 1 3 8; do
    for items in 1 64 256; do
        filters "device_0 shadowcopies=\"$copies\" workitems=\"$items\"" >"s$copies-i$items.xml"
        same "s$copies-i$items" 161 97 "$small" one.xml
    done
done
for kind in staged naive; do
    filters device_0 "<channel name=\"merged\" kind=\"$kind\"/>" "<channel name=\"blurred\" kind=\"$kind\"/>" \
        "<channel name=\"motion\" kind=\"$kind\"/>" >"$kind.xml"
    same "$kind" 161 97 "$small" one.xml
    # as on a device with its own memory
    DAL_TRANSFER_QUEUES=1 same "$kind" 161 97 "$small" one.xml
done
# The portable sources, each of which is C on a core and a kernel on a device.
mapping "* 0 core_0" "Gauss 2 core_0" "Sobel 2 $second" "Opticalflow 2 core_*" >portable-cores.xml
same portable-cores 161 97 "$small" one.xml
for items in 1 16; do
    target="device_0 shadowcopies=\"3\" workitems=\"$items\""
    mapping "* 0 core_0" "Gauss 2 $target" "Sobel 2 $target" "Opticalflow 2 $target" >"portable-i$items.xml"
    same "portable-i$items" 161 97 "$small" one.xml
done
mapping "* 0 core_0" "Gauss 2 device_0" "Sobel 1 device_0" "Opticalflow 2 core_0" >portable-mixed.xml
same portable-mixed 161 97 "$small" one.xml

mapping "* 0 core_0" "Gauss 1 device_0" "Sobel 0 $second" "Opticalflow 1 device_0" >alternating.xml
same alternating 161 97 "$small" one.xml

POCL_DEVICES=$(two_devices)
export POCL_DEVICES
[ -n "$POCL_DEVICES" ] || fail "this OpenCL implementation does not give two devices on request"
"$dalinfo" --architecture -o two.xml
mapping "* 0 core_*" "Gauss 1 device_0" "Sobel 1 device_1" "Opticalflow 1 device_0" >two-devices.xml
same two-devices 161 97 "$small" two.xml
mapping "* 0 core_*" "Gauss 1 device_0" "Sobel 1 device_1" "Opticalflow 1 device_1" \
    '<channel name="blurred" kind="staged"/>' >two-staged.xml
same two-staged 161 97 "$small" two.xml
cp "$app/map-devices.xml" devices.xml
same devices 161 97 "$small" two.xml
# As a device of OpenCL 1.2: channels to it are mapped.
export DAL_TEST_MASK=fine_svm
"$dalinfo" --architecture -o mapped.xml
same s3-i64 161 97 "$small" mapped.xml
same portable-mixed 161 97 "$small" mapped.xml
same alternating 161 97 "$small" one.xml
same devices 161 97 "$small" two.xml
# As two GPUs: each with its own memory.
export DAL_TEST_MASK=unified
"$dalinfo" --architecture -o apart.xml
same two-devices 161 97 "$small" apart.xml
same devices 161 97 "$small" apart.xml
unset POCL_DEVICES DAL_TEST_MASK

# Damaged frames: counted, survived, and the same everywhere.
broken=broken.mjpeg
"$build/apps/mjpeg/mkvideo" -s 161x97 -n 20 -d t3:900 -d x7:700 -d h9 -d q11 "$broken"
reference 161 97 "$broken" 20
same cores 161 97 "$broken" one.xml

# Wider than a tile of the kernels, with one column more than whole groups of sixteen.
wide=wide.mjpeg
"$build/apps/mjpeg/mkvideo" -s 1297x35 -n 4 -m 3,1 "$wide"
reference 1297 35 "$wide" 4
same s3-i64 1297 35 "$wide" one.xml

# The clip of the application, at its own size.
reference 320 240 "$app/dog.mjpeg" 61
cp "$app/map-opencl.xml" opencl.xml
same core0 320 240 "$app/dog.mjpeg" one.xml
same opencl 320 240 "$app/dog.mjpeg" one.xml

# The mappings are of the filters alone as well.
for name in core0 cores devices opencl; do
    run 0 "$dalsynth" --check "$app/filters.xml" one.xml "$app/map-$name.xml"
done

echo "$passed mappings give the same bytes"
