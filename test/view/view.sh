#!/usr/bin/env bash
# dalview: what its JSON says, pictures by Graphviz, hostile names, errors that leave nothing behind.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
dalview=$build/view/dalview

# ---- data ---------------------------------------------------------------------------------------------------------------

cp "$source"/apps/hello/*.{xml,c} .
run 0 "$dalview" --output=hello.json hello.xml
expect '"network":"hello"' hello.json
expect '"verdict":"runs"' hello.json
expect '["firings an iteration","2"]' hello.json
expect '["written in","hello.xml:' hello.json
expect '"name":"numbers","from":[0,0],"to":[1,0]' hello.json

# Open ports: at the border, with what their tokens are.
cp "$source"/apps/embed/*.{c,xml} .
run 0 "$dalview" -o filter.json filter.xml
expect '"border":"input","tokens":"float"' filter.json
[ "$(grep -o '"border":"output"' filter.json | wc -l)" = 2 ] || fail "two outputs" filter.json

# Parts: the ports that channels lead through, and which parts are folded.
stereo=$input/parts/stereo.xml
run 0 "$dalview" -o parts.json --fold='*.Band_0' "$stereo"
expect '"through":"Left.samples\u000aLeft.Band_2.in\u000a"' parts.json
expect '"folded":["Left.Band_0"]' parts.json
run 0 "$dalview" -o parts.json --fold "$stereo"
expect '"folded":["Left","Left.Band_2"]' parts.json
run 2 "$dalview" -o none.json --fold=left "$stereo"
expect '--fold=left: no part has such a name' messages
[ ! -e none.json ] || fail "data of nothing"

# A channel of the newest token: how old it may be.
run 0 "$dalview" -o newest.json "$source/test/newest/input/newest.xml"
expect '"newest":"newest, at most 60000 ms old"' newest.json
expect '["kept","newest, at most 60000 ms old"]' newest.json
run 0 "$dalview" -o again.json "$source/test/newest/input/again.xml"
expect '["kept","newest, read again until there is another"]' again.json
expect '"newest":"",' again.json

architecture core_0 core_1 >arch.xml
mjpeg=$source/apps/mjpeg/mjpeg.xml
run 0 "$dalview" -o mapped.json "$mjpeg" arch.xml "$source/apps/mjpeg/map-cores.xml"
expect '"place":"core_' mapped.json
expect 'apps/mjpeg/mjpeg.xml:' mapped.json
expect '["why this capacity",' mapped.json
expect '["block",' mapped.json
run 0 "$dalview" -D decoders=5 -o five.json "$mjpeg"
expect '"name":"Dec_4"' five.json

run 1 "$dalview" -o dead.json "$input/dead.xml"
expect '"verdict":"deadlock"' dead.json
expect '"witness":true' dead.json
expect '["a way out","initialtokens=\"1\""]' dead.json
expect '[deadlock]' messages
sed 's/tokenrateout="1"/tokenrateout="3"/' "$input/dead.xml" >odd.xml
run 1 "$dalview" -o odd.json odd.xml
expect '"verdict":"inconsistent"' odd.json
expect '"witness":true' odd.json

run 0 "$dalview" -o hostile.json "$input/hostile.xml"
if command -v python3 >/dev/null; then
    python3 - ./*.json <<'END' || fail "JSON"
import json, sys
for name in sys.argv[1:]:
    json.load(open(name, encoding="utf-8"))
END
fi

# ---- the page -----------------------------------------------------------------------------------------------------------

run 0 "$dalview" hello.xml
[ "$(cat output)" = hello.html ] || fail "where the page is" output
expect 'Content-Security-Policy' hello.html
! grep -oE '(src|href) *= *"?https?:[^" ]*' hello.html >found || fail "the page asks for others" found
run 0 "$dalview" -o hostile.html "$input/hostile.xml"
! grep -qF '<script>window' hostile.html || fail "a name is markup"
! grep -qF '<img src=x' hostile.html || fail "a name is markup"

# ---- pictures -----------------------------------------------------------------------------------------------------------

if command -v dot >/dev/null; then
    for name in "$mjpeg" "$input/dead.xml" "$input/hostile.xml"; do
        "$dalview" -o picture.svg "$name" >log 2>&1 || [ $? = 1 ] || fail "$name" log
        [ -s picture.svg ] || fail "no picture of $name" log
        ! command -v xmllint >/dev/null || xmllint --noout picture.svg 2>log || fail "$name as SVG" log
        rm picture.svg
    done
    run 0 "$dalview" -o mapped.svg "$mjpeg" arch.xml "$source/apps/mjpeg/map-cores.xml"
    expect 'core_0' mapped.svg
    run 0 "$dalview" -o newest.svg "$source/test/newest/input/newest.xml"
    [ "$(grep -c stroke-dasharray newest.svg)" = 1 ] || fail "the line is not dashed" newest.svg
    expect 'newest, at most 60000 ms old' newest.svg
    # Ports of the network are at its border, whatever is mapped.
    if command -v python3 >/dev/null; then
        for files in filter.xml "filter.xml arch.xml map-cores.xml"; do
            # shellcheck disable=SC2086 # words
            run 0 "$dalview" -o filter.svg $files
            run 0 python3 "$source/test/view/picture.py" filter.svg
            [ "$(grep -c '^border .* float' output) $(grep -c '^process' output) $(grep -c '^arrow' output)" = "3 2 4" ] ||
                fail "ports, processes and arrows" output
        done
    fi
    # Parts are frames, or boxes whose ports are theirs. Each arrow leads to what is shown.
    draws() { # FRAMES BOXES PROCESSES ARROWS ARGUMENT...: what is in the picture
        local wanted="$1 $2 $3 $4" kind found=
        shift 4
        rm -f parts.svg
        "$dalview" -o parts.svg "$@" 2>messages || [ $? = 1 ] || fail "$*" messages
        run 0 python3 "$source/test/view/picture.py" parts.svg
        for kind in 'frame part' folded process arrow; do found+="$(grep -c "^$kind" output || true) "; done
        [ "$found" = "$wanted " ] || fail "$*: frames, boxes, processes and arrows: $found" output
    }
    if command -v python3 >/dev/null; then
        draws 7 0 16 28 "$stereo"
        draws 0 2 2 8 --fold "$stereo"
        expect 'arrow Divide samples level ▸ Left (8) loudness mixed' output
        draws 4 1 10 20 --fold=Right "$stereo"
        draws 2 5 6 18 --fold='*.Band_*' "$stereo"
        # On two cores: a box, or a frame, on each.
        {
            echo '<mapping name="two"><binding name="a"><process name="*.Join"/><processor name="core_1"/></binding>'
            echo '<binding name="b"><process name="*.Split"/><processor name="core_0"/></binding>'
            for process in Divide Pair {Left,Right}.{Mix,Level}; do
                echo "<binding name=\"$process\"><process name=\"$process\"/><processor name=\"core_0\"/></binding>"
            done
            echo '</mapping>'
        } >two.xml
        for part in stereo eq band; do
            sed 's/<process name="[^"]*"/& source="consumer.c"/' "$input/parts/$part.xml" >$part.xml
        done
        draws 0 4 2 23 --fold stereo.xml arch.xml two.xml
        # A deadlock within a part is seen at its box.
        sed 's/ initialtokens="1"//' "$stereo" >dead.xml
        draws 0 2 2 8 --fold dead.xml
        grep -q 'class="node folded"' parts.svg && expect '#c1121f' parts.svg
        # Names are text in boxes, too.
        sed 's/&lt;img src=x/a{b|c}\&lt;.&/' "$input/hostile.xml" >marks.xml
        draws 0 1 3 3 --fold marks.xml
        expect '▸ a{b|c}< (1) <img' output
    else
        echo "python3 is missing: pictures are not read"
    fi
    # Of a name, 60 characters are drawn, however many bytes they have.
    sixty=$(printf 'ä%.0s' {1..60})
    for more in '' b; do
        sed "s/xxxx*/$sixty$more/" "$input/hostile.xml" >long.xml
        run 0 "$dalview" -o long.svg long.xml
        expect ">$sixty${more:+…}<" long.svg
    done
else
    echo "dot is missing: pictures are not drawn"
fi
mkdir empty
run 1 env PATH="$work/empty" "$dalview" -o none.svg hello.xml
expect 'graphviz' messages
[ ! -e none.svg ] || fail "half a picture"

# ---- errors -------------------------------------------------------------------------------------------------------------

run 2 "$dalview"
run 2 "$dalview" hello.xml arch.xml
run 2 "$dalview" -o picture.png hello.xml
expect '.html, .svg or .json' messages
run 2 "$dalview" --colour hello.xml
run 1 "$dalview" -o none.html missing.xml
expect 'missing.xml' messages
[ ! -e none.html ] || fail "a page of nothing"
sed 's/<process /<processor /' hello.xml >bad.xml
run 1 "$dalview" -o none.html bad.xml
grep -qE 'bad.xml:[0-9]+: error' messages || fail "no line" messages
[ ! -e none.html ] || fail "a page of nothing"
echo before >kept.html
run 1 "$dalview" -o kept.html bad.xml
[ "$(cat kept.html)" = before ] || fail "what was there is lost"
run 1 "$dalview" -o missing/hello.html hello.xml
for option in --help --version; do
    run 0 "$dalview" $option
    expect dalview output
done
