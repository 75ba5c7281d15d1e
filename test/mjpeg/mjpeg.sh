#!/usr/bin/env bash
# The promise of the model on the MJPEG pipeline: the same bytes on every mapping. What Screen sees
# is compared with the plain loop of apps/mjpeg/reference.c, which knows nothing of the framework.
set -euo pipefail

source=${DAL_SRCDIR:?}
build=${DAL_BUILDDIR:?}
app=$source/apps/mjpeg
work=$(mktemp -d "${TMPDIR:-/tmp}/dal-mjpeg.XXXXXX")
trap 'rm -rf "$work"' EXIT

passed=0 failed=0

# Two PoCL devices on any machine; the names differ between versions, and unknown ones give none.
two_devices() {
    local names
    for names in "pthread basic" "cpu cpu-minimal"; do
        POCL_DEVICES=$names "$build/tools/dalinfo" --architecture -o "$work/two.xml" 2>/dev/null || continue
        if grep -q 'name="device_1"' "$work/two.xml"; then
            echo "$names"
            return
        fi
    done
}

# mapping NAME: the binding elements on standard input, "PROCESS SOURCE PROCESSOR [ATTRIBUTES]" a line
mapping() {
    local process id processor rest number=0
    printf '<mapping name="%s" processnetwork="mjpeg">\n' "$1"
    while read -r process id processor rest; do
        number=$((number + 1))
        printf '<binding name="b%s"><process name="%s" sourceid="%s"/><processor name="%s"/>%s</binding>\n' \
            "$number" "$process" "$id" "$processor" "${rest:+<target $rest/>}"
    done
    printf '%s\n</mapping>\n' "${2:-}"
}

# same NAME WIDTH HEIGHT CLIP ARCHITECTURE: synthesises $work/NAME.xml and compares the bytes
same() {
    local name=$1 width=$2 height=$3 clip=$4 architecture=$5 sums
    if "$build/synth/dalsynth" -o "$work/$name" -D "width=$width" -D "height=$height" \
        "$app/mjpeg.xml" "$architecture" "$work/$name.xml" >"$work/log" 2>&1 &&
        "$work/$name/mjpeg" --strict -p "Split.input=$clip" -p "Screen.dump=$work/dump" \
            >>"$work/log" 2>&1 && sums=$(cmp "$work/dump" "$work/expected" 2>&1); then
        passed=$((passed + 1))
        echo "same bytes: $name"
    else
        failed=$((failed + 1))
        echo "DIFFERENT: $name ${sums:-}"
        tail -n 20 "$work/log"
    fi
    rm -rf "${work:?}/$name" "$work/dump"
}

# expect WIDTH HEIGHT CLIP FRAMES: makes $work/expected and checks how many frames it has
expect() {
    "$build/apps/mjpeg/reference" "$1" "$2" "$3" "$work/expected" >"$work/log" 2>&1
    local bytes
    bytes=$(stat -c %s "$work/expected")
    if [ "$bytes" -ne $(($1 * $2 * 2 * $4)) ]; then
        echo "the reference has $bytes bytes, not $4 frames of $1x$2"
        exit 1
    fi
}

filters() { # PROCESSOR [ATTRIBUTES]: the three filters from their OpenCL sources, the rest on core_0
    printf '* 0 core_0\nGauss 1 %s\nSobel 1 %s\nOpticalflow 1 %s\n' "$*" "$*" "$*"
}

"$build/tools/dalinfo" --architecture -o "$work/one.xml"
cores=$(grep -c 'name="core_[0-9]*" type' "$work/one.xml")
second=core_$((cores > 1 ? 1 : 0))

# A second file of another, odd size, with optimal Huffman tables and restart markers.
small=$work/small.mjpeg
"$build/apps/mjpeg/mkvideo" -s 161x97 -n 61 -O -r 5 -m 2,1 "$small"
expect 161 97 "$small" 61

cp "$app/map-core0.xml" "$work/core0.xml"
cp "$app/map-cores.xml" "$work/cores.xml"
mapping two-cores <<END >"$work/two-cores.xml"
* 0 core_0
Dec_1 0 $second
Sobel 0 $second
Opticalflow 0 $second
END
for name in core0 cores two-cores; do
    same "$name" 161 97 "$small" "$work/one.xml"
done

if ! grep -q 'name="device_0"' "$work/one.xml"; then
    echo "no OpenCL device: the mappings on devices cannot be tried"
    exit 1
fi
for copies in 1 3 8; do
    for items in 1 64 256; do
        filters device_0 "shadowcopies=\"$copies\" workitems=\"$items\"" |
            mapping "s$copies-i$items" >"$work/s$copies-i$items.xml"
        same "s$copies-i$items" 161 97 "$small" "$work/one.xml"
    done
done
for kind in staged naive; do
    filters device_0 | mapping "$kind" '<channel name="merged" kind="'$kind'"/>
        <channel name="blurred" kind="'$kind'"/><channel name="motion" kind="'$kind'"/>' >"$work/$kind.xml"
    same "$kind" 161 97 "$small" "$work/one.xml"
    # as on a device with its own memory
    DAL_TRANSFER_QUEUES=1 same "$kind" 161 97 "$small" "$work/one.xml"
done
# The portable sources, each of which is C on a core and a kernel on a device.
printf '* 0 core_0\nGauss 2 core_0\nSobel 2 %s\nOpticalflow 2 core_*\n' "$second" |
    mapping portable-cores >"$work/portable-cores.xml"
same portable-cores 161 97 "$small" "$work/one.xml"
for items in 1 16; do
    target="device_0 shadowcopies=\"3\" workitems=\"$items\""
    printf '* 0 core_0\nGauss 2 %s\nSobel 2 %s\nOpticalflow 2 %s\n' "$target" "$target" "$target" |
        mapping "portable-i$items" >"$work/portable-i$items.xml"
    same "portable-i$items" 161 97 "$small" "$work/one.xml"
done
printf '* 0 core_0\nGauss 2 device_0\nSobel 1 device_0\nOpticalflow 2 core_0\n' |
    mapping portable-mixed >"$work/portable-mixed.xml"
same portable-mixed 161 97 "$small" "$work/one.xml"

printf '* 0 core_0\nGauss 1 device_0\nSobel 0 %s\nOpticalflow 1 device_0\n' "$second" |
    mapping alternating >"$work/alternating.xml"
same alternating 161 97 "$small" "$work/one.xml"

devices=$(two_devices)
if [ -n "$devices" ]; then
    export POCL_DEVICES=$devices
    printf '* 0 core_*\nGauss 1 device_0\nSobel 1 device_1\nOpticalflow 1 device_0\n' |
        mapping two-devices >"$work/two-devices.xml"
    same two-devices 161 97 "$small" "$work/two.xml"
    mapping two-staged '<channel name="blurred" kind="staged"/>' >"$work/two-staged.xml" <<'END'
* 0 core_*
Gauss 1 device_0
Sobel 1 device_1
Opticalflow 1 device_1
END
    same two-staged 161 97 "$small" "$work/two.xml"
    unset POCL_DEVICES
else
    echo "this OpenCL implementation does not give two devices on request"
    failed=$((failed + 1))
fi

# Damaged frames: counted, survived, and the same everywhere.
broken=$work/broken.mjpeg
"$build/apps/mjpeg/mkvideo" -s 161x97 -n 20 -d t3:900 -d x7:700 -d h9 -d q11 "$broken"
expect 161 97 "$broken" 20
same cores 161 97 "$broken" "$work/one.xml"

# Wider than a tile of the kernels, with one column more than whole groups of sixteen.
wide=$work/wide.mjpeg
"$build/apps/mjpeg/mkvideo" -s 1297x35 -n 4 -m 3,1 "$wide"
expect 1297 35 "$wide" 4
same s3-i64 1297 35 "$wide" "$work/one.xml"

# The clip of the application, at its own size.
expect 320 240 "$app/dog.mjpeg" 61
cp "$app/map-opencl.xml" "$work/opencl.xml"
same core0 320 240 "$app/dog.mjpeg" "$work/one.xml"
same opencl 320 240 "$app/dog.mjpeg" "$work/one.xml"

echo "$passed mappings give the same bytes, $failed do not"
[ "$failed" -eq 0 ]
