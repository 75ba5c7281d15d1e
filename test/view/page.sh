#!/usr/bin/env bash
# The page of dalview in Chromium, which npm's puppeteer-core drives: layout, clicks, search, folds, hostile names, a
# thousand processes. Screenshots stay in test/view/screenshots of the build folder.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
dalview=$build/view/dalview

find_browser

cp "$source"/apps/hello/*.{xml,c,cl} .
run 0 "$dalview" -o hello.html hello.xml
run 0 "$dalview" -o filter.html "$source/apps/embed/filter.xml"
run 0 "$dalview" -o parts.html "$input/parts/stereo.xml"
run 0 "$dalview" -o newest.html "$source/test/newest/input/newest.xml"
run 0 "$dalview" --fold -o parts-folded.html "$input/parts/stereo.xml"

architecture core_0 core_1 >arch.xml
# Decoders take turns at the cores.
"$dalsynth" --list=processes "$source/apps/mjpeg/mjpeg.xml" | {
    echo '<mapping name="two">'
    while read -r process; do
        case $process in
        Dec_*) core=${process#Dec_} core=$((core % 2)) ;;
        Split | Merge) core=0 ;;
        *) core=1 ;;
        esac
        echo "<binding name=\"$process\"><process name=\"$process\"/><processor name=\"core_$core\"/></binding>"
    done
    echo '</mapping>'
} >map.xml
run 0 "$dalview" -o mapped.html "$source/apps/mjpeg/mjpeg.xml" arch.xml map.xml
echo '<mapping name="both"><binding name="all"><process name="*"/><processor name="core_*"/></binding></mapping>' >both.xml
synthesise -o hello hello.xml arch.xml both.xml
for number in 1 2; do
    DAL_STATS=./run-$number.json run 0 hello/hello
done
run 0 "$dalview" --measured=run-1.json --measured=run-2.json -o measured.html hello.xml arch.xml both.xml
run 1 "$dalview" -o dead.html "$input/dead.xml"
run 0 "$dalview" -o hostile.html "$input/hostile.xml"
{
    echo '<processnetwork name="large"><process name="Source"/><process name="Sink"/>'
    for ((i = 0; i < 998; i++)); do echo "<process name=\"Work_$i\"/>"; done
    for ((i = 0; i < 998; i++)); do
        from=$([ $((i % 20)) -gt 0 ] && echo "Work_$((i - 1)).out" || echo "Source.out_$i")
        echo "<channel from=\"$from\" to=\"Work_$i.in\" type=\"int\" tokenratein=\"1\" tokenrateout=\"1\"/>"
        [ $((i % 20)) -lt 19 ] && [ $i -lt 997 ] ||
            echo "<channel from=\"Work_$i.out\" to=\"Sink.in_$i\" type=\"int\" tokenratein=\"1\" tokenrateout=\"1\"/>"
    done
    echo '</processnetwork>'
} >large.xml
run 0 "$dalview" -o large.html large.xml

status=0
NODE_PATH=$driver/node_modules node "$source/test/view/page.js" "$(command -v chromium)" "$work" >log 2>&1 || status=$?
mkdir -p "$build/test/view/screenshots"
cp -- *.png "$build/test/view/screenshots" 2>/dev/null || true
[ $status = 0 ] || fail "the page" log
tail -n 1 log
