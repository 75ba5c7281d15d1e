#!/usr/bin/env bash
# Sources in the shapes that people write: each works as it is meant, or is refused by dalsynth itself.
#
#   shapes.sh [KIND...]    c, opencl, portable; all without; groups: kernels beside copies of themselves, launched as
#                          one (groups.sh); CASES=WORDS for those whose name has these,
#                          NOT_YET=1 also for those that say [not-yet]
#
# A case in input/shapes/KIND.txt:
#
#   == NAME [OPTION] [OPTION]   cflags=..., libs=..., items=WORK-ITEMS, parameters=NAME:VALUE NAME:VALUE..., bom, crlf, cr, not-yet; open: without its last newline;
#                               joined: continued lines are one
#   P.c, or P.cl: {{ EXPRESSION }} is a body of fire that sends what it makes of x; the kernel P is
#                               given the name of the process; << A ;; B ;; C >> is a body of a portable
#                               one that does A, then B with x in a DAL_foreach, then C
#   REPEAT NUMBER TEXT          a line of source, that often, with 0 1 2 ... for %
#   -- FILE                     another file; @ in options is the folder
#   -> NUMBERS                  what comes out of 0 1 2 3 4
#   => WORDS                    instead: dalsynth ends with 1, and says this, perhaps without its column; @
#                               is the process
#
# Cases that work are built in one program, those that share it with one that does not, each alone. In a build with
# sanitizers nothing is built: dalsynth, which they look at, reads and writes the sources all the same.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

[ -z "${KEEP:-}" ] || trap - EXIT
good=0
failures=0
written='' # dalsynth's sources are all that is made
[ -z "${DAL_SANITIZER:-}" ] || written=--emit-only

architecture core device >architecture.xml
cat >source.c <<'END_C'
#include <dal.h>
struct _local_states { int next; };
int Source_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->next, 4, p);
    return ++p->local->next == 5;
}
END_C

# The cases of a kind: NUMBER/P.c or .cl, further files, and NUMBER/{name,options,stream,message}.
parse() { # KIND
    local ending=c
    [ "$1" != opencl ] || ending=cl
    awk -v ending=$ending -v words="${CASES:-}" '
        /^== / {
            number++
            folder = number
            system("mkdir -p " folder)
            file = folder "/P." ending
            printf "" >file
            line = substr($0, 4)
            options = ""
            while (match(line, / \[[^]]*\]$/)) {
                options = options substr(line, RSTART + 2, RLENGTH - 3) "\n"
                line = substr(line, 1, RSTART - 1)
            }
            print line >(folder "/name")
            printf "%s", options >(folder "/options")
            file_open = 1
            next
        }
        /^-- / { file = folder "/" substr($0, 4); at = file; sub(/\/[^\/]*$/, "", at); system("mkdir -p " at); next }
        /^-> / { print substr($0, 4) >(folder "/stream"); file_open = 0; next }
        /^=> / { print substr($0, 4) >(folder "/message"); file_open = 0; next }
        !number || !file_open { next }
        /^REPEAT [0-9]+ / {
            parts = split(substr($0, length($2) + 9), part, "%") # gsub is slow in mawk
            for (i = 0; i < $2; i++) {
                line = part[1]
                for (j = 2; j <= parts; j++) { line = line i part[j] }
                print line >file
            }
            next
        }
        { print >file }' "$input/shapes/$1.txt"
    body='{ int x; DAL_read(PORT_in, \&x, 4, p); x = (\1); DAL_write(PORT_out, \&x, 4, p); return 0; }'
    begin='{ DAL_WINDOW const int *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, 1, p); '
    begin+='DAL_WINDOW int *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);'
    end='DAL_write_end(PORT_out, out, p); DAL_read_end(PORT_in, (void *)in, p); return 0; }'
    blocks="$begin \\1 DAL_foreach (b : PORT_out) { int x = in[b]; \\2 out[b] = x; } \\3 $end"
    [ "$1" != portable ] || body="$begin DAL_foreach (b : PORT_out) { int x = in[b]; out[b] = (\\1); } $end"
    for folder in [0-9]*; do
        if ! in_part "$folder" || ! grep -q "${CASES:-}" "$folder/name" ||
            { [ -z "${NOT_YET:-}" ] && grep -q not-yet "$folder/options"; }; then
            rm -r "$folder"
            continue
        fi
        [ "$1" != opencl ] || sed -i "s/\bP\b\([^.]\|$\)/P$folder\1/g" "$folder/P.cl"
        find "$folder" -type f ! -name stream ! -name message -exec sed -i \
            "s/{{ \(.*\) }}/$body/; s/<< *\(.*\) *;; *\(.*\) *;; *\(.*\) *>>/$blocks/" {} +
        while read -r option; do
            case $option in
            open) truncate -s -1 "$folder/P.$ending" ;;
            joined) sed -i -z 's/\\\n//g' "$folder/P.$ending" ;;
            bom) sed -i $'1s/^/\xef\xbb\xbf/' "$folder/P.$ending" ;;
            crlf) sed -i 's/$/\r/' "$folder/P.$ending" ;;
            cr) tr '\n' '\r' <"$folder/P.$ending" >t && mv t "$folder/P.$ending" ;;
            esac
        done <"$folder/options"
    done
}

option() { # FOLDER NAME
    sed -n "s|@|$1|g; s/^$2=//p" "$1/options" | sed 's/&/\&amp;/g; s/"/\&quot;/g; s/</\&lt;/g'
}

# Source --> every case --> Sink, which prints the stream of each.
network() { # TYPE ENDING FOLDER...
    local type=$1 ending=$2 folder parameter one='size="4" tokenratein="1" tokenrateout="1"'
    shift 2
    echo '<processnetwork name="shapes">
      <process name="Source"><port type="output" name="out"/><source type="c" location="source.c"/></process>
      <process name="Sink">'
    for folder; do echo "<port type=\"input\" name=\"in$folder\"/>"; done
    echo '<source type="c" location="sink.c"/></process>'
    for folder; do
        local cflags libs items
        cflags=$(option "$folder" cflags)
        libs=$(option "$folder" libs)
        items=$(option "$folder" items)
        echo "<process name=\"P$folder\">"
        for parameter in $(option "$folder" parameters); do
            echo "<parameter name=\"${parameter%%:*}\" value=\"${parameter#*:}\"/>"
        done
        echo "<port type=\"input\" name=\"in\"/><port type=\"output\" name=\"out\"/>
          <source type=\"$type\" location=\"$folder/P.$ending\"${cflags:+ cflags=\"$cflags\"}${libs:+ libs=\"$libs\"}
            ${items:+ dataparallelism=\"$items\"}/></process>"
    done
    for folder; do
        channel "a$folder" Source out "P$folder" in "$one"
        channel "b$folder" "P$folder" out Sink "in$folder" "$one"
    done
    echo '</processnetwork>'
}

sink() { # FOLDER...
    local folder
    echo '#include <dal.h>
int Sink_fire(DALProcess *p)
{
    int x;'
    for folder; do
        printf 'DAL_read(PORT_in%s, &x, 4, p); DAL_printf("%s %%d\\n", x);\n' "$folder" "$folder"
    done
    echo 'return 0; }'
}

# One program of these cases: messages and out; 1 where there is none.
build() { # KIND PROCESSOR FOLDER...
    local type=$1 ending=c processor=$2
    shift 2
    [ "$type" != opencl ] || ending=cl
    network "$type" $ending "$@" >network.xml
    sink "$@" >sink.c
    mapping "* - $processor" 'Source - core' 'Sink - core' >mapping.xml
    rm -rf made
    : >out
    # Warnings of users' sources are of no interest here.
    "$dalsynth" --strict $written -o made network.xml architecture.xml mapping.xml >messages 2>&1 || return 1
    [ "$written" ] || timeout 900 made/shapes >out 2>run.err || true
}

stream() { # FOLDER [FILE]
    awk -v number="$1" '$1 == number { printf "%s%s", sep, $2; sep = " " }' "${2:-out}"
}

verdict() { # WHAT FOLDER RESULT
    if [ -z "$3" ]; then
        good=$((good + 1))
        return
    fi
    failures=$((failures + 1))
    echo "FAIL: $1, $(cat "$2/name"): $3"
    [ -z "${VERBOSE:-}" ] || sed 's/^/        /' messages
}

works() { # WHAT FOLDER
    local want
    want=$(cat "$2/stream")
    [ "$written" ] || [ "$(stream "$2")" = "$want" ] || { verdict "$1" "$2" "'$(stream "$2")' instead of '$want' $(head -1 run.err)"; return; }
    verdict "$1" "$2" ""
}

# As many as there are in one program; where that does not build, the halves.
all_work() { # KIND PROCESSOR FOLDER...
    local kind=$1 processor=$2 folder half
    shift 2
    [ $# -gt 0 ] || return 0
    if build "$kind" "$processor" "$@" && { [ $# = 1 ] || [ "$written" ] || [ -s out ]; }; then
        for folder; do works "$kind on a $processor" "$folder"; done
    elif [ $# = 1 ]; then
        verdict "$kind on a $processor" "$1" "$(grep -m1 error: messages || head -1 messages)"
    else
        half=$(($# / 2))
        all_work "$kind" "$processor" "${@:1:half}"
        all_work "$kind" "$processor" "${@:half+1}"
    fi
}

is_refused() { # KIND PROCESSOR FOLDER
    local words
    words=$(sed "s/@/P$3/; s/kernel 'P'/kernel 'P$3'/" "$3/message")
    if build "$1" "$2" "$3"; then
        verdict "$1 on a $2" "$3" "$([ "$written" ] || echo "is taken")" # perhaps by a compiler
        return
    fi
    sed -E 's/^([^ ]*:[0-9]+):[0-9]+: /\1: /' messages >columnless
    if ! grep -qF -- "$words" messages columnless; then
        verdict "$1 on a $2" "$3" "no '$words' in: $(grep -m1 error: messages || head -1 messages)"
    else
        verdict "$1 on a $2" "$3" ""
    fi
}

try() { # KIND PROCESSOR
    local working=() folder
    for folder in [0-9]*; do
        if [ -e "$folder/stream" ]; then working+=("$folder"); fi
    done
    all_work "$1" "$2" "${working[@]}"
    for folder in [0-9]*; do
        [ ! -e "$folder/message" ] || is_refused "$1" "$2" "$folder"
    done
}

# ---- groups ---------------------------------------------------------------------------------------

# A second process for each case, whose source is a copy: P1 and P1x.
copy_cases() {
    local folder
    for folder in [0-9]*; do
        cp -r "$folder" "${folder}x"
        find "${folder}x" -type f -exec sed -i "s/\bP$folder\b/P${folder}x/g" {} +
    done
}

# Source --> P1 --> P1x --> Sink for each case, in one program that is run with groups and without: both
# must print the same.
try_pairs() { # KIND ENDING FOLDER...
    local kind=$1 ending=$2 folder all=() one='size="4" tokenratein="1" tokenrateout="1"'
    shift 2
    [ $# -gt 0 ] || return 0
    for folder; do all+=("$folder" "${folder}x"); done
    network "$kind" "$ending" "${all[@]}" | sed '/^<sw_channel/d; /^<connection/d; /^<port type="input" name="in[0-9]*x"/d; /<\/processnetwork>/d' >network.xml
    for folder; do
        channel "a$folder" Source out "P$folder" in "$one"
        channel "b$folder" "P$folder" out "P${folder}x" in "$one"
        channel "c$folder" "P${folder}x" out Sink "in$folder" "$one"
    done >>network.xml
    echo '</processnetwork>' >>network.xml
    sink "$@" >sink.c
    mapping "* - device" 'Source - core' 'Sink - core' >mapping.xml
    rm -rf made
    if ! "$dalsynth" --strict --explain -o made network.xml architecture.xml mapping.xml >explained 2>messages; then
        [ $# -gt 1 ] || { verdict "$kind in a group" "$1" "$(grep -m1 error: messages || head -1 messages)"; return; }
        try_pairs "$kind" "$ending" "${@:1:$#/2}"
        try_pairs "$kind" "$ending" "${@:$#/2+1}"
        return
    fi
    timeout 120 made/shapes >out 2>run.err || true
    DAL_GROUPS=0 timeout 120 made/shapes >plain 2>plain.err || true
    grep -h "launched by themselves" run.err >>dissolved || true
    for folder; do
        if [ -n "$(stream "$folder")" ] && [ "$(stream "$folder")" = "$(stream "$folder" plain)" ]; then
            verdict "$kind in a group" "$folder" ""
        else
            verdict "$kind in a group" "$folder" "'$(stream "$folder")' instead of '$(stream "$folder" plain)'"
        fi
        if grep -q "^launched as one.*: P$folder, P${folder}x;" explained; then
            together=$((together + 1))
        else
            echo "$(cat "$folder/name"): $(grep "^P${folder}x is not launched" explained || true)"
        fi
    done
}

try_groups() { # KIND ENDING LEAST
    local working=() folder tried=0 least
    together=0
    : >dissolved
    for folder in [0-9]*; do
        if [ -e "$folder/stream" ]; then working+=("$folder"); else rm -rf "$folder"; fi
    done
    copy_cases
    # As many as a driver builds in the time.
    while [ ${#working[@]} -gt "$tried" ]; do
        try_pairs "$1" "$2" "${working[@]:tried:16}"
        tried=$((tried + 16))
    done
    cat dissolved
    echo "$together of ${#working[@]} pairs of $1 kernels are groups, $(wc -l <dissolved) of them not at run time"
    least=$(($3 * 3 / test_parts / (test_parts > 1 ? 4 : 3))) # of a part of them a little less: not all parts have as many
    [ -n "${CASES:-}" ] || [ "$together" -ge $least ] || { failures=$((failures + 1)); echo "FAIL: expected $least"; }
    [ ! -s dissolved ] || failures=$((failures + 1))
}

if [ "${1:-}" = groups ]; then
    shift
    [ $# -gt 0 ] || set -- opencl portable
    for kind; do
        mkdir "$work/$kind"
        cd "$work/$kind"
        cp ../architecture.xml ../source.c .
        parse "$kind"
        case $kind in
        opencl) try_groups opencl cl 40 ;;
        portable) try_groups portable c 20 ;;
        esac
        cd "$work"
    done
    echo "$good good, $failures not"
    [ $failures = 0 ]
    exit
fi

[ $# -gt 0 ] || set -- c opencl portable
for kind; do
    mkdir "$work/$kind"
    cd "$work/$kind"
    cp ../architecture.xml ../source.c .
    parse "$kind"
    case $kind in
    c) try c core ;;
    opencl) try opencl device ;;
    portable)
        try portable core
        try portable device
        ;;
    esac
    cd "$work"
done
echo "$good good, $failures not"
[ $failures = 0 ]
