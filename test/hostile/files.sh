#!/usr/bin/env bash
# Files that are none: pipes that nobody reads or writes, folders, sockets, a full disk, as what a program reads and writes.
# It ends with the file's name, and waits for nothing that a signal could not end. Replay files with lines in a wrong order
# or with zero bytes; signals that the parent ignores.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp "$input"/{live,adds}.c "$input"/live.xml .
synthesise -o live live.xml
mkdir folder
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("socket")'
outputs='DAL_STATS DAL_TIMES DAL_TRACE DAL_REPORT DAL_RECORD'
name_of() { # VARIABLE KIND: a name that it takes
    case $1 in
        DAL_TRACE) echo "./$2.json" ;;
        DAL_REPORT) echo "./$2.html" ;;
        *) echo "./$2" ;;
    esac
}
for kind in folder socket; do
    for ending in json html; do ln -s $kind $kind.$ending; done
done
mkfifo pipe pipe.json pipe.html
for ending in '' .json .html; do ln -s /dev/full full$ending; done

# ---- none of them is waited for ------------------------------------------------------------------

printf '5 Live.gain=9\n' >changes
export DAL_REPLAY=changes # so that there is something to record
for variable in $outputs; do
    for kind in folder socket pipe full; do
        run 1 timeout -s KILL 60 env "$variable=$(name_of "$variable" $kind)" live/live
        expect "$variable=$(name_of "$variable" $kind)" messages
    done
    # One that somebody reads is written whole.
    cat "$(name_of "$variable" pipe)" >taken &
    while [ ! -e /proc/$!/fd/0 ]; do sleep 0.01; done
    exec 7<>"$(name_of "$variable" pipe)"
    run 0 timeout -s KILL 60 env "$variable=$(name_of "$variable" pipe)" live/live
    exec 7<&-
    wait $!
    [ -s taken ] || fail "$variable writes nothing to a pipe" messages
done
unset DAL_REPLAY
for kind in folder socket pipe /dev/null; do
    run 1 timeout -s KILL 60 env DAL_REPLAY=$kind live/live
    expect "DAL_REPLAY=$kind: " messages
done

# A reader that does not read: the report waits, and SIGTERM ends that, by itself after a while or with a second one. A reader
# that only is late gets all.
reports_to_full_pipe() { # VARIABLE
    exec 7<>"$(name_of "$1" pipe)"
    timeout -s KILL 5 dd if=/dev/zero of="$(name_of "$1" pipe)" bs=4096 oflag=nonblock 2>/dev/null || true # full
    start env "$1=$(name_of "$1" pipe)" timeout --foreground -s KILL 60 live/live
    until_so [ -s output ]
    sleep 0.3
    pkill -TERM -P $running
}
for variable in DAL_STATS DAL_TRACE; do
    reports_to_full_pipe $variable
    ended
    exec 7<&-
    [ $status -eq 1 ] || fail "$variable: exit status $status behind SIGTERM" messages
    expect 'interrupted while it wrote' messages
done
reports_to_full_pipe DAL_TRACE
timeout 60 cat "$(name_of DAL_TRACE pipe)" >late &
exec 7<&-
ended
wait
[ $status -eq 0 ] || fail "a late reader: exit status $status behind SIGTERM" messages
grep -qa '}' late || fail "a late reader has no report" messages

# What a program gives back behind its report may take long. A signal then changes nothing.
cat >slow.xml <<'END'
<processnetwork name="slow"><process name="Slow" source="slow.c"/></processnetwork>
END
cat >slow.c <<'END'
#include "dal.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static __attribute__((destructor)) void leave(void)
{
    if (!getenv("LEFT"))
        return; /* dalsynth looks at the object */
    fclose(fopen(getenv("LEFT"), "w"));
    sleep(2);
}
int Slow_fire(DALProcess *p)
{
    return 1;
}
END
synthesise slow.xml
start env DAL_STATS=slow.json LEFT=left slow/slow
until_so [ -e left ]
kill -INT $running
ended
[ $status -eq 0 ] || fail "exit status $status of a run that had ended before the signal" messages
[ -s slow.json ] || fail "no statistics"

# ---- replay --------------------------------------------------------------------------------------

replays() { # STATUS LINE TEXT
    printf "$3" >replay
    run "$1" env DAL_REPLAY=replay live/live
    [ "$1" -eq 0 ] || expect "replay:$2: DAL_REPLAY: " messages
}
replays 0 0 '5 Live.gain=9\n9 Live.gain=7\n'
[ "$(cat output)" = $((5 * 3 + 4 * 9 + 1991 * 7)) ] || fail "replayed otherwise" output
replays 0 0 '5 Live.gain=9\n5 Live.gain=7'
replays 1 2 '9 Live.gain=7\n5 Live.gain=9\n'
replays 1 1 '5 Live.gain=9\0 and more\n'
replays 1 2 '5 Live.gain=9\n9 Live.gain=7\0'
replays 1 2 '5 Live.gain=9\n\0\n9 Live.gain=7\n'
replays 1 1 "5 Live.gain=$(printf '%09000d' 1)\n"

# ---- signals that the parent ignores -------------------------------------------------------------

long='-p Live.most=400000000'
for signal in INT TERM; do
    # shellcheck disable=SC2086 # words
    env --ignore-signal=$signal live/live $long >output 2>messages &
    running=$!
    sleep 0.3
    kill -$signal $running
    sleep 0.3
    kill -$signal $running
    sleep 0.1
    kill -0 $running 2>/dev/null || fail "SIG$signal was ignored, and ends it" messages
    kill -KILL $running
    ended
    # shellcheck disable=SC2086
    start live/live $long
    sleep 0.3
    kill -$signal $running
    ended
    [ $status -eq 0 ] || fail "SIG$signal: exit status $status" messages
done
echo "$0: all good"
