#!/usr/bin/env bash
# A KPN process in C++ is left where it waits for what never comes: all objects of its functions are destroyed.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cxx=${CXX:-c++}
command -v "${cxx%% *}" >/dev/null || skip "there is no C++ compiler (CXX, c++)"
cp "$input"/leave/* .
architecture core core_2 >architecture.xml
mapping '* - core' >mapping.xml

# said LINE...: what a program has printed, in any order
said() {
    printf '%s\n' "$@" | sort >wanted
    sort output | cmp -s - wanted || fail "not: $*" output messages
}

# ended_well HOW LINE...: the sink reads in this way until its source has ended
ended_well() {
    run 0 "$program/leave" -p Sink.how="$1"
    said 'Source: 11 made, 11 gone' "${@:2}"
}

# Ends of all sorts: nothing more to read, a stop, a deadlock.
left() {
    ended_well read 'Sink: 12 made, 12 gone'
    start "$program/leave" -p Source.count=0
    until_so grep -q begun messages
    kill -INT $running
    ended
    [ "$status" -eq 0 ] || fail "exit status $status after a stop" messages
    awk '$2 < 3 || $2 != $4 { exit 1 }' output || fail "not as many gone as made" output
    [ "$(grep -c made output)" -eq 2 ] || fail "finish was not called" output
    run 1 "$program-ring/ring"
    expect 'deadlock: these processes wait for each other' messages
    said 'wait: 1 made, 1 gone' 'wait: 1 made, 1 gone'
}

for sanitizer in '' -fsanitize=address; do
    program=program${sanitizer:+-address}
    if [ -n "$sanitizer" ]; then
        echo 'int main(void) { return 0; }' >address.cpp
        [ -z "${DAL_SANITIZER:-}" ] && $cxx $sanitizer address.cpp -o address 2>/dev/null && ./address || break
        sed -i "s/\.cpp\"/& cflags=\"$sanitizer\" libs=\"$sanitizer\"/" leave.xml ring.xml
    fi
    synthesise -o "$program" leave.xml architecture.xml mapping.xml
    synthesise -o "$program-ring" ring.xml architecture.xml mapping.xml
    left
    # What is caught and not thrown again goes on being left, behind the handler.
    ended_well swallow caught 'Sink: 12 made, 12 gone'
    ended_well throw 'Sink: 12 made, 12 gone'
    ended_well own 'Sink: 12 made, 12 gone'
    # A call that is made meanwhile moves nothing and waits for nothing.
    ended_well window 'Sink: 12 made, 12 gone'
    ended_well calling 'at the end' 'read 0' never 'Sink: 13 made, 13 gone'
    ended_well init caught 'Sink: 12 made, 12 gone'
done

# A function that nothing can leave is told.
without_leaks
[ -x program-address/leave ] || program=program
ended_well keep 'Sink: 12 made, 11 gone'
expect 'warning: process Sink: it ends in a function that is noexcept' messages

# Without exceptions nothing would be destroyed.
sed -i 's/ cflags="[^"]*" libs="[^"]*"//; s/source="source.cpp"/& cflags="-fno-exceptions"/' leave.xml
refuse 'process Source has ports of rate dynamic, and -fno-exceptions' leave.xml architecture.xml mapping.xml
