#!/usr/bin/env bash
# dalsynth: what it emits (against test/synth/golden), what it refuses (test/synth/bad), and that it
# leaves all or nothing. REGENERATE=1 rewrites the expected trees.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
unset CCACHE_BASEDIR CCACHE_NOHASHDIR # messages name the folders where they are, not where a cache has first seen them

golden=$source/test/synth/golden
bad=$source/test/synth/bad

# The only two things in the emitted folder that depend on where it stands.
no_paths() {
    sed -i -e "s|$(realpath "$golden")|@SRCDIR@|g" -e "s|$(realpath "$1")|@OUTDIR@|g" \
        "$1/Makefile" "$1/compile_commands.json"
}

# The files of a case, as dalsynth wants them, and its program's name. Of a state machine there is
# no network, and the case is called after it.
name_case() { # MAPPING
    program=$network
    inputs=("$golden/$network.xml" "$golden/$machine.xml" "$golden/$1.xml")
    if [ "$network" = --fsm ]; then
        program=$1
        inputs=(--fsm "$golden/$1.xml" "$golden/$machine.xml")
    fi
}

emit() { # MAPPING FOLDER
    env -u CPPFLAGS -u CFLAGS -u CXXFLAGS DAL_CFLAGS=-I/include/dal "$dalsynth" --explain --emit-only -o "$2" "${inputs[@]}" \
        >"$2.explain" || fail "$1: dalsynth --emit-only"
    mv "$2.explain" "$2/explain.txt"
    no_paths "$2"
}

golden_tree() {
    emit "$1" "$work/$1"
    if [ -n "${REGENERATE:-}" ]; then
        rm -rf "${golden:?}/$1"
        cp -r "$work/$1" "$golden/$1"
        mv "$golden/$1/.dalsynth" "$golden/$1/dot-dalsynth"
    fi
    mv "$work/$1/.dalsynth" "$work/$1/dot-dalsynth"
    diff -r -u "$golden/$1" "$work/$1" || fail "$1: differs from what is expected"
}

same_bytes() {
    mkdir -p "$work/elsewhere/deeper"
    (cd "$work/elsewhere/deeper" && emit "$1" "$PWD/$1")
    mv "$work/elsewhere/deeper/$1/.dalsynth" "$work/elsewhere/deeper/$1/dot-dalsynth"
    diff -r "$work/$1" "$work/elsewhere/deeper/$1" || fail "$1: not the same bytes twice"
}

# Users' own sources are not held to -Wpedantic -Werror, ours are, though they are a system's for users; those of the
# fixture are clean.
strict() {
    local file
    rm -rf "$work/strict" "$work/include"
    cp -r "$work/$1" "$work/strict"
    cp -r "$source/include" "$work/include"
    chmod -R u+w "$work/include"
    sed -i '/pragma GCC system_header/d' "$work"/strict/*.h "$work"/include/*.h
    for file in "$work/strict"/*.c; do
        "${CC:-cc}" -std=gnu11 -O2 -Wall -Wextra -Wpedantic -Werror -Wno-maybe-uninitialized \
            -DROWS=16 -DGAIN=2 -I"$work/include" -iquote "$golden" -iquote "$work/strict" -c -o /dev/null \
            "$file" || fail "$1: $(basename "$file") is not clean"
    done
}

formatted() {
    [ -x "${CLANG_FORMAT:-no}" ] || return 0
    (cp "$source/.clang-format" "$work/$1" && cd "$work/$1" &&
        "$CLANG_FORMAT" --dry-run -Werror ./*.c ./*.h) || fail "$1: clang-format would change it"
}

no_absolute_paths() {
    ! grep -rn --exclude=Makefile --exclude=compile_commands.json -e "$source" -e "$work" \
        "$work/$1" || fail "$1: absolute paths in sources"
}

runs() {
    "$dalsynth" -o "$work/built" "${inputs[@]}" || fail "$1: does not build"
    "$work/built/$program" >"$work/$1.out" || fail "$1: does not run"
    diff -u "$golden/$program.out" "$work/$1.out" || fail "$1: wrong output"
}

# A file CASE.c (portable-CASE.c, CASE.cl) in bad/ is the source of the only process between two
# others, of type c (portable, opencl). Every line
# of CASE.expected begins a line of the messages. Nothing may be left behind.
refused() {
    local file=$1 name folder status=0 line
    name=$(basename "$file")
    folder=$work/bad/$name
    mkdir -p "$folder"
    cp "$bad"/*.h "$bad"/end.c "$file" "$folder"
    sed "s|@SOURCE@|$name|; s|@TYPE@|$(case $name in *.cl) echo opencl ;; portable-*) echo portable ;; *) echo c ;; esac)|" \
        "$bad/network.xml" >"$folder/network.xml"
    case $name in
    *.cl) cp "$bad/device.xml" "$folder/mapping.xml" ;;
    *) cp "$bad/core.xml" "$folder/mapping.xml" ;;
    esac
    cp "$bad/machine.xml" "$folder"
    ls -A "$folder" >"$folder.before"
    (cd "$folder" && "$dalsynth" network.xml machine.xml mapping.xml) >"$folder.out" 2>&1 || status=$?
    [ $status = 1 ] || fail "$name: exit status $status instead of 1" "$folder.out"
    while IFS= read -r line; do
        awk -v want="$line" 'index($0, want) == 1 { found = 1 } END { exit !found }' \
            "$folder.out" || fail "$name: no message that begins '$line'"
    done <"$file.expected"
    ls -A "$folder" | diff "$folder.before" - || fail "$name: something was left behind"
    [ -z "${VERBOSE:-}" ] || cat "$folder.out"
}

# The sizes of a token and of a type that is none are both told.
typed_sizes() {
    grep -q 'a token of port out has 4 bytes, this type not' "$work/bad/typed.c.out" &&
        grep -q 'note: this type has 16 bytes' "$work/bad/typed.c.out" || fail "typed.c: not both sizes"
}

# A kernel that requires more work-items than a network can ask for; their product has 33 bits.
too_many_items() {
    local folder=$work/bad/items status=0
    cp -r "$work/bad/brace.cl" "$folder"
    sed -i 's/ dataparallelism="[0-9]*"//' "$folder/network.xml"
    cat >"$folder/brace.cl" <<'END'
__attribute__((reqd_work_group_size(65536, 65536, 1))) __kernel void Middle(__global const int *in, __global int *out)
{
    out[0] = in[0];
}
END
    (cd "$folder" && "$dalsynth" --check network.xml machine.xml mapping.xml) >items.out 2>&1 || status=$?
    [ $status = 1 ] || fail "too many work-items: exit status $status" items.out
    expect "kernel 'Middle' requires 65536x65536x1 work-items, and there are at most 65536" items.out
}

shop() { # dalsynth on the fixture, with more options
    "$dalsynth" "$@" "$golden/shop.xml" "$golden/machine.xml" "$golden/cores.xml"
}

duet() { # likewise, on the state machine
    "$dalsynth" --fsm "$@" "$golden/duet.xml" "$golden/rack.xml"
}

# A mapping that asks for what cannot be had.
wrong_kind() {
    sed 's|<channel name="sums" size="64"/>|<channel name="sums" kind="naive"/>|' \
        "$golden/cores.xml" >"$work/wrong.xml"
    run 1 "$dalsynth" -o "$work/wrong" "$golden/shop.xml" \
        "$golden/machine.xml" "$work/wrong.xml"
    expect "wrong.xml:15: error: [unsupported-kind] channel 'sums'" messages
    [ ! -e "$work/wrong" ] || fail "naive between cores: something was written"
}

command_line() {
    local tool
    for tool in "$dalsynth" "$build"/tools/dalinfo "$build"/bench/dalbench "$source"/tools/{demo,check} "$source"/bench/{figures,slow}; do
        run 0 "$tool" --help
        mv output help
        run 0 "$tool" -h
        diff help output || fail "$tool: -h is not --help"
    done
    run 0 "$dalsynth" --version
    run 2 "$dalsynth"
    run 2 shop --nonsense
    run 2 shop -D lanes
    run 1 shop -D lanes=two
    run 1 shop --check -D nothing=2
    run 2 shop --fsm
    run 2 duet --times=/dev/null
    run 2 duet --analyze
    run 0 duet --check -D right.kernels=5
    run 1 duet --check -D kernels=5
    run 1 duet --check -D middle.kernels=5
    mkdir empty
    (cd empty && shop --check >../output 2>&1 && [ -z "$(ls -A)" ]) || fail "--check writes something" output
}

folders() {
    local made=$work/folders
    mkdir -p "$made/mine"
    echo precious >"$made/mine/file"
    run 1 shop --emit-only -o "$made/mine"
    expect "mine: error: [output-directory]" messages
    [ "$(cat "$made/mine/file")" = precious ] || fail "a folder of someone else was touched"
    run 1 shop --emit-only -o "$made/not/there"
    run 1 shop --emit-only -o "$made/mine/file"
    mkdir "$made/empty"
    run 0 shop --emit-only -o "$made/empty/"
    touch "$made/empty/old"
    run 0 shop --emit-only -o "$made/empty"
    [ ! -e "$made/empty/old" ] || fail "a folder of its own was not replaced"
    [ "$(ls "$made" | wc -l)" = 2 ] || fail "folders left behind: $(ls "$made")"
}

# What would be replaced by mistake is refused before anything is built.
precious() {
    local made=$work/precious folder
    mkdir -p "$made/own/inner" "$made/real"
    cp "$golden"/*.xml "$golden"/*.[ch] "$golden"/*.cl "$made/own"
    ln -s real "$made/link"
    ln -s nowhere "$made/dangling"
    touch "$made/own/.dalsynth" "$made/.dalsynth"
    mkdir "$made/bin"
    printf '#!/bin/sh\ntouch "%s/built"\nexit 1\n' "$made" >"$made/bin/make"
    chmod +x "$made/bin/make"
    while read -r folder; do
        status=0
        (cd "$made/real" && PATH="$made/bin:$PATH" "$dalsynth" -o "$folder" ../own/shop.xml \
            ../own/machine.xml ../own/cores.xml) >messages 2>&1 || status=$?
        [ $status = 1 ] || fail "-o $folder: exit status $status" messages
        expect "error: [output-directory]" messages
        [ ! -e "$made/built" ] || fail "-o $folder: was built before"
        rm -f "$made/built"
        [ -d "$made/real" ] && [ -e "$made/own/shop.xml" ] && [ -L "$made/link" ] || fail "-o $folder: gone"
    done <<END
.
./
..
/
../real/.
../own/..
../link
../link/
../dangling
../own
../../precious
$made/own
END
    mkdir "$made/inputs"
    touch "$made/inputs/.dalsynth"
    cp "$golden/cores.xml" "$made/inputs"
    run 1 "$dalsynth" -o "$made/inputs" "$golden/shop.xml" \
        "$golden/machine.xml" "$made/inputs/cores.xml"
    [ -e "$made/inputs/cores.xml" ] || fail "the mapping was removed"
}

# What SIGKILL leaves is cleared by the next run for that output, and nothing else is: not what
# another run fills just now, nor what only looks like it.
killed() {
    local made=$work/killed pid other
    mkdir -p "$made/bin" "$made/out.abcdef" "$made/out.second" "$made/out.empty1" "$made/out.longer7"
    echo precious >"$made/out.abcdef/file"
    touch "$made/out.second/.dalsynth" "$made/out.longer7/.dalsynth-unfinished"
    echo precious >"$made/out.third7"
    ln -s out.longer7 "$made/out.linked"
    ls "$made" >"$made.before"
    printf '#!/bin/sh\ntouch "%s/started"\nexec sleep 100\n' "$made" >"$made/bin/make"
    chmod +x "$made/bin/make"
    start() {
        rm -f "$made/started"
        PATH="$made/bin:$PATH" "$dalsynth" -o "$made/out" "$golden/shop.xml" \
            "$golden/machine.xml" "$golden/cores.xml" >"$made.log" 2>&1 &
        pid=$!
        timeout 20 sh -c "until [ -e '$made/started' ]; do sleep 0.1; done" || fail "not started"
        rm -f "$made/started"
    }
    start
    kill -KILL $pid
    wait $pid 2>/dev/null || true
    [ "$(ls "$made" | wc -l)" = $(($(wc -l <"$made.before") + 1)) ] || fail "nothing was left behind"
    timeout 20 sh -c "until flock -n \"\$1\" true; do sleep 0.1; done" sh \
        "$(dirname "$made"/out.*/Makefile)" || fail "make goes on"
    start
    other=$pid
    [ "$(ls "$made" | wc -l)" = $(($(wc -l <"$made.before") + 1)) ] ||
        fail "left behind: $(ls "$made")"
    run 0 shop --emit-only -o "$made/out"
    [ "$(ls "$made" | wc -l)" = $(($(wc -l <"$made.before") + 2)) ] ||
        fail "another run's folder was touched: $(ls "$made")"
    kill -TERM $other
    wait $other || true
    rm -r "$made/out"
    ls "$made" | diff "$made.before" - || fail "left behind, or gone"
    [ "$(cat "$made/out.abcdef/file" "$made/out.third7")" = $'precious\nprecious' ] ||
        fail "what only looks like it was touched"
}

# A make that never ends stands for a long compilation: if dalsynth waited for it, or left it
# alone, this would never end.
interrupted() {
    local made=$work/interrupted pid status
    mkdir -p "$made/bin"
    printf '#!/bin/sh\necho $$ >"%s/started"\nexec sleep 1000000\n' "$made" >"$made/bin/make"
    chmod +x "$made/bin/make"
    for signal in INT TERM; do
        rm -f "$made/started"
        env --default-signal=INT PATH="$made/bin:$PATH" "$dalsynth" -o "$made/out" \
            "$golden/shop.xml" "$golden/machine.xml" "$golden/cores.xml" >"$made/log" 2>&1 &
        pid=$!
        until [ -s "$made/started" ]; do
            kill -0 $pid 2>/dev/null || fail "make was not started" "$made/log"
            sleep 0.05
        done
        kill -$signal $pid
        status=0
        wait $pid || status=$?
        while kill -0 "$(cat "$made/started")" 2>/dev/null; do sleep 0.05; done
        [ $status -gt 128 ] || fail "SIG$signal: exit status $status"
        [ -z "$(ls -d "$made"/out* 2>/dev/null)" ] || fail "SIG$signal left $(ls -d "$made"/out*)"
    done
}

# Work-items of a kernel that is written for a number of them, which nobody has said; and of one that
# has what it is left, or what its source requires.
left_items() {
    sed 's|\(name="\[AOF\]??"/><processor name="gpu"/>\)|\1<target workitems="auto"/>|' "$golden/auto.xml" \
        >"$work/items.xml"
    run 1 "$dalsynth" --check "$golden/wide.xml" "$golden/hall.xml" "$work/items.xml"
    expect "pass.cl:1:13: error: [kernel-signature] process 'Few': its work-items are \"auto\"" messages
    [ "$(grep -c 'error:' messages)" = 1 ] || fail "other errors" messages
    sed 's/ dataparallelism="[a-z0-9]*"//' "$golden/wide.xml" >"$work/unsaid.xml"
    cp "$golden"/*.cl "$golden/first.c" "$golden/last.c" "$work"
    run 0 "$dalsynth" --check --explain "$work/unsaid.xml" "$golden/hall.xml" "$golden/auto.xml"
    expect "unsaid.xml:27: warning: [idle-device] process 'Few': S = 2 leaves 97 % of gpu idle" messages
    grep -q '^Any .* 1  .*I left out, so 1' output || fail "Any: not 1 work-item" output
    grep -q '^Own .* 2  .*I as the kernel requires' output || fail "Own: not what it requires" output
}

# The compiler is told that a work-item that is alone is number 0; others are asked.
alone() {
    run 0 "$dalsynth" --emit-only -o "$work/alone" "$work/unsaid.xml" "$golden/hall.xml" "$golden/auto.xml"
    expect "#define get_local_id(n) " "$work/alone/Any.cl"
    ! grep -q 'define get_local_id' "$work/alone/One.cl" || fail "One does not ask for it" "$work/alone/One.cl"
    ! grep -q 'define get_local_id' "$work/auto/Any.cl" || fail "not alone" "$work/auto/Any.cl"
}

unset DAL_CFLAGS DAL_LIBS
while read -r network machine mapping; do
    name_case "$mapping"
    golden_tree "$mapping"
    same_bytes "$mapping"
    strict "$mapping"
    no_absolute_paths "$mapping"
    formatted "$mapping"
    runs "$mapping"
done <<END
shop machine cores
shop machine devices
chain rack spread
chain rack apart
stripes machine both
--fsm rack duet
fan rack readers
wide hall auto
END
for file in "$bad"/*.expected; do
    refused "${file%.expected}"
done
typed_sizes
too_many_items
wrong_kind
left_items
alone
command_line
folders
precious
killed
interrupted
