#!/usr/bin/env bash
# The video network without a single size: it synthesises, sees the same bytes, and its speed is printed
# beside that with the sizes given. With execution times as without.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp -r "$source/apps/mjpeg" sized
cp -r "$source/apps/mjpeg" bare
sed -i -E 's/(<channel [^>]*) size="[^"]*"/\1/' bare/mjpeg.xml
if grep -qE '<channel [^>]* size=' bare/mjpeg.xml; then
    fail "a size was left in the network"
fi
cat >times.json <<'END_OF_TIMES'
{"Split": 20, "Dec": 900, "Merge": 100, "Gauss": 300, "Sobel": 400, "Opticalflow": 900, "Screen": 50}
END_OF_TIMES
"$dalinfo" --architecture -o machine.xml
"$build/apps/mjpeg/reference" 320 240 "$source/apps/mjpeg/dog.mjpeg" expected >log

# compare NAME FOLDER MAPPING OPTION...: the program's bytes, and the time of another run
compare() {
    local name=$1 folder=$2 mapping=$3 start end
    shift 3
    synthesise -o "$name" "$@" "$folder/mjpeg.xml" machine.xml "$folder/$mapping.xml"
    run 0 "$name/mjpeg" --strict -p Split.input="$source/apps/mjpeg/dog.mjpeg" -p Screen.dump=dump
    cmp dump expected || fail "$name: other bytes"
    start=$(date +%s%N)
    "$name/mjpeg" -p Split.input="$source/apps/mjpeg/dog.mjpeg" >log 2>&1 || fail "$name: the second run" log
    end=$(date +%s%N)
    echo "same bytes: $name; 61 frames in $(((end - start) / 1000)) us"
}

for mapping in map-core0 map-cores map-opencl; do
    [ $mapping != map-opencl ] || has_device machine.xml || continue
    compare "$mapping-sizes-given" sized $mapping
    compare "$mapping-no-sizes" bare $mapping
    compare "$mapping-no-sizes-but-times" bare $mapping --times=times.json
done
