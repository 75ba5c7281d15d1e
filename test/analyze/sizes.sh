#!/usr/bin/env bash
# The video network without a single size: it synthesises, sees the same bytes, and its speed is printed
# beside that with the sizes given. With execution times as without.
set -euo pipefail

source=${DAL_SRCDIR:?}
build=${DAL_BUILDDIR:?}
work=$(mktemp -d "${TMPDIR:-/tmp}/dal-sizes.XXXXXX")
trap 'rm -rf "$work"' EXIT

cp -r "$source/apps/mjpeg" "$work/sized"
cp -r "$source/apps/mjpeg" "$work/bare"
sed -i -E 's/(<sw_channel [^>]*) size="[^"]*"/\1/' "$work/bare/mjpeg.xml"
if grep -qE '<sw_channel [^>]* size=' "$work/bare/mjpeg.xml"; then
    echo "a size was left in the network"
    exit 1
fi
cat >"$work/times.json" <<'END_OF_TIMES'
{"Split": 20, "Dec": 900, "Merge": 100, "Gauss": 300, "Sobel": 400, "Opticalflow": 900, "Screen": 50}
END_OF_TIMES
"$build/tools/dalinfo" --architecture -o "$work/machine.xml"
"$build/apps/mjpeg/reference" 320 240 "$source/apps/mjpeg/dog.mjpeg" "$work/expected" >"$work/log"

failed=0

# try NAME FOLDER MAPPING OPTION...: the program's bytes, and the time of another run
try() {
    local name=$1 folder=$2 mapping=$3 start end
    shift 3
    if ! "$build/synth/dalsynth" -o "$work/$name" "$@" "$work/$folder/mjpeg.xml" "$work/machine.xml" \
        "$work/$folder/$mapping.xml" >"$work/log" 2>&1 ||
        ! "$work/$name/mjpeg" --strict -p Split.input="$source/apps/mjpeg/dog.mjpeg" -p Screen.dump="$work/dump" \
            >>"$work/log" 2>&1 || ! cmp "$work/dump" "$work/expected"; then
        echo "FAILED: $name"
        tail -n 20 "$work/log"
        failed=1
        return
    fi
    start=$(date +%s%N)
    "$work/$name/mjpeg" -p Split.input="$source/apps/mjpeg/dog.mjpeg" >"$work/log" 2>&1
    end=$(date +%s%N)
    echo "same bytes: $name; 61 frames in $(((end - start) / 1000)) us"
}

for mapping in map-core0 map-cores map-opencl; do
    [ $mapping != map-opencl ] || grep -q 'name="device_0"' "$work/machine.xml" || continue
    try "$mapping-sizes-given" sized $mapping
    try "$mapping-no-sizes" bare $mapping
    try "$mapping-no-sizes-but-times" bare $mapping --times="$work/times.json"
done
exit $failed
