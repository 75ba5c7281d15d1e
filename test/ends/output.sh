#!/usr/bin/env bash
# What cannot be written is an error: said, with exit status 1, before the work where that can be known; and
# what was there before stays whole.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

graph=$source/test/analyze/input/samplerate.xml
hello=$source/apps/hello/hello.xml

# A command that must end with 1 and say that something cannot be written.
refused() {
    local status=0
    "$@" 2>log </dev/null || status=$?
    [ "$status" -eq 1 ] && grep -qE "cannot be written|File too large|cannot make" log
}

full() { refused "$@" >/dev/full; }
closed() { refused "$@" >&-; }
# Files may not grow: what is written to them fails half-way.
halved() { (
    trap '' XFSZ
    ulimit -f 0
    "$@" >/dev/null 2>/dev/null </dev/null
); }

architecture core_0 >machine.xml
mapping "* - core_0" >map.xml
"$dalsynth" -o hello "$hello" machine.xml map.xml 2>log
"$dalsynth" --export-sdf3 "$graph" >graph.sdf3

# Standard output.
for how in full closed; do
    for what in "--analyze $graph" "--analyze=json $graph" "--analyze --pareto $graph" "--export-sdf3 $graph" \
        "--import-sdf3 graph.sdf3" "--help" "--version" "--check --explain $hello machine.xml map.xml"; do
        check "$how: dalsynth $what" "$($how "$dalsynth" $what; echo $?)"
    done
    for what in "" --architecture --help --version; do
        check "$how: dalinfo $what" "$($how "$dalinfo" $what; echo $?)"
    done
    check "$how: dalbench --help" "$($how "$build/bench/dalbench" --help; echo $?)"
    check "$how: a program" "$($how hello/hello; echo $?)"
    check "$how: a program's help" "$($how hello/hello --help; echo $?)"
done
check "closed, and nothing to be printed" "$("$dalsynth" --check "$hello" machine.xml map.xml >&- 2>log; echo $?)"

# A program's own files: refused before anything runs, so nothing is printed.
before() { # NAME=VALUE
    refused env "$1" hello/hello >out && [ ! -s out ]
}
from_pipe() { # NAME
    rm -f pipe
    mkfifo pipe
    cat pipe >piped &
    env "$1=pipe" hello/hello >out 2>log || return 1
    wait
    grep -q '}' piped
}
mkdir folder
for name in DAL_TIMES DAL_TRACE; do
    check "$name: no such folder" "$(before $name=nowhere/t.json && grep -q "$name=nowhere/t.json" log; echo $?)"
    check "$name: a folder" "$(before $name=folder; echo $?)"
    echo old >old.json
    chmod 640 old.json
    if [ "$(id -u)" -ne 0 ]; then
        chmod a-w old.json
        check "$name: not to be written" "$(before $name=old.json; echo $?)"
        chmod u+w old.json
    fi
    check "$name: a full disk, known at the end" "$(refused env $name=/dev/full hello/hello >out && [ -s out ]; echo $?)"
    check "$name: a pipe" "$(from_pipe $name; echo $?)"
    check "$name: --check writes nothing" "$(env $name=nowhere/t.json hello/hello --check 2>log; echo $?)"
    check "$name: what could not be written is an error" "$(! halved env $name=old.json hello/hello; echo $?)"
    check "$name: the file before stays" "$([ "$(cat old.json)" = old ]; echo $?)"
    check "$name: replaced as a whole" "$(env $name=old.json hello/hello >out 2>log && grep -q '}' old.json &&
        [ "$(stat -c %a old.json)" = 640 ]; echo $?)"
    ln -sf real.json link.json
    check "$name: through a link" "$(env $name=link.json hello/hello >out 2>log && [ -L link.json ] &&
        env $name=link.json hello/hello >out 2>log && [ -L link.json ] && grep -q '}' real.json; echo $?)"
    check "$name: /dev/stdout" "$(env $name=/dev/stdout hello/hello >out 2>log && grep -q '}' out; echo $?)"
done

# Several applications: each run has files of its own.
cp -r "$source/apps/scenario" scenario
"$dalsynth" -o life --fsm scenario/scenario.xml machine.xml 2>log
for name in DAL_TIMES DAL_TRACE; do
    check "$name of applications" "$(refused env $name=nowhere/t.json life/scenario >out && [ ! -s out ]; echo $?)"
    check "$name of applications, at their end" "$(! halved env $name=t.json life/scenario && ! ls t*.json 2>log; echo $?)"
done

check "DAL_TAP of applications" "$(env DAL_TAP=taps life/scenario >out 2>log && [ ! -e taps ] &&
    [ "$(grep -c 'DAL_TAP is set, but this program was made without --tap' log)" = 1 ]; echo $?)"

# A parameter that is read as an integer.
wrong() { # PARAMETER
    local status=0
    hello/hello -p "$1" >out 2>log || status=$?
    [ "$status" -eq 1 ] && grep -q "not an integer" log
}
for value in abc 3x '' 1.5 99999999999999999999; do
    check "pairs=$value" "$(wrong "Producer.pairs=$value"; echo $?)"
done
check "pairs=0x10" "$(hello/hello -p Producer.pairs=0x10 >out 2>log && [ ! -s log ]; echo $?)"

# dalinfo's file, and dalbench's before it measures.
info="$dalinfo --architecture -o"
bench="$build/bench/dalbench --tiny --apps=$source/apps"
echo old >a.xml
check "dalinfo: no such folder" "$(refused $info nowhere/x; echo $?)"
check "dalinfo: a full disk" "$(refused $info /dev/full; echo $?)"
check "dalinfo: half a file is an error" "$(! halved $info a.xml; echo $?)"
check "dalinfo: the file before stays" "$([ "$(cat a.xml)" = old ]; echo $?)"
check "dalinfo: replaced" "$($info a.xml 2>log && grep -q '</architecture>' a.xml; echo $?)"
for what in "--json nowhere/x.json" "--json folder" "--plot nowhere/x" "--plot old.json"; do
    check "dalbench $what" "$(refused $bench $what firing >out && ! grep -q nanoseconds log out; echo $?)"
done

# An imported graph is not left by halves.
check "import to a full disk" "$(! halved "$dalsynth" --import-sdf3 -o half graph.sdf3 && [ -z "$(ls half)" ]; echo $?)"

check "nothing is left beside" "$(! find . -name '*.tmp' | grep .; echo $?)"
echo "$passed passed"
