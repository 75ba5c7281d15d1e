#!/usr/bin/env bash
# What a program asks the system for, and does not get: the n-th call of malloc, open, pthread_create and so on fails, of all
# those that dal's code makes, by libc or not (fail_nth.c). A program with everything that watches it, dalview and dalsynth
# end with 1 and say why, or do all that they should. SWEEP_WHOSE=any takes the calls of libraries as well; one that dies of
# its own is told by its name. SWEEP_MOST is how many calls of a function fail, 2 for each; 0: all of them.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
[ -z "${DAL_SANITIZER:-}" ] || skip "sanitizers have their own malloc"

cp "$input"/{live,adds}.c "$input"/live.xml .
${CC:-cc} -shared -fPIC -O1 -o fail_nth.so "$source/test/hostile/fail_nth.c" -ldl
synthesise -o live live.xml
echo '5 Live.gain=9' >changes
echo '{"traceEvents":[{"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"core_0"}}]}' >given.json
most=${SWEEP_MOST:-2}
stride=${DAL_TEST_STRIDE:-1}
failures=0

# with CALL NUMBER COMMAND...: the command in which that call fails; number 0: counts them. Sets `status`.
with() {
    local call=$1 number=$2
    shift 2
    # shellcheck disable=SC2086 # words
    rm -rf failed $files
    status=0
    FAIL_CALL=$call FAIL_AT=$number FAIL_LOG=$work/failed FAIL_WHOSE=${SWEEP_WHOSE:-own} LD_PRELOAD=$work/fail_nth.so \
        timeout -s KILL 120 "$@" >output 2>messages || status=$?
}

# is_right: is all there, and each file of JSON whole?
is_right() {
    local file
    [ "$(cat output)" = "$right" ] || return 1
    for file in $files; do
        [ -s "$file" ] || return 1
        [[ $file != *.json ]] || python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$file" 2>/dev/null || return 1
    done
}

# is_foreign: was it a library's own call?
is_foreign() {
    local in
    in=$(sed -n 's/^failed \([^ ]*\).*/\1/p' failed 2>/dev/null)
    case $in in
        '' | libdal* | lt-* | "$FAIL_PROGRAM") return 1 ;;
        *) echo "passed over: a call of $in fails, exit status $status" ;;
    esac
}

# sweep COMMAND...: with `files` that it writes, and `right`, what it prints
sweep() {
    local call calls number step
    for call in $functions; do
        with "$call" 0 "$@"
        calls=$(sed -n 's/^calls //p' failed)
        step=$((most > 0 && calls > most ? calls / most : 1))
        for ((number = 1 + RANDOM % step; number <= calls; number += step * stride)); do
            with "$call" $number "$@"
            case $status in
                0) is_right && continue ;;
                1) [ -s messages ] && grep -v 'iterations, ' messages >/dev/null && continue ;;
            esac
            is_foreign && continue
            echo "$call, number $number: exit status $status, $(head -n 1 failed)"
            tail -n 2 messages
            failures=$((failures + 1))
        done
    done
}

RANDOM=${SWEEP_SEED:-1}
functions='realloc malloc calloc reallocarray posix_memalign aligned_alloc mmap pthread_create open fopen fdopen rename eventfd
    pipe2 memfd_create ftruncate socket fclose write fork'
export FAIL_PROGRAM=live
observed='DAL_STATS=s.json DAL_TRACE=t.json DAL_TIMES=i.json DAL_RECORD=r.txt DAL_REPLAY=changes DAL_REPORT=p.html DAL_PROGRESS=0.01'
[ ! -e "$build/rt/libdal-live.la" ] || observed+=' DAL_VIEW=127.0.0.1:0'
files='s.json t.json i.json r.txt p.html' right=$((5 * 3 + 1995 * 9))
# shellcheck disable=SC2086 # words
sweep env $observed live/live
# A program whose ports are files.
cp "$source"/test/ends/input/gain.* .
synthesise -o gain gain.xml
head -c 25600 /dev/zero >zero.raw
export FAIL_PROGRAM=gain
functions='realloc malloc calloc open fdopen rename fclose write pthread_create'
files=o.npy right=''
sweep gain/gain --samples=zero.raw --louder=o.npy
functions='realloc malloc calloc open fopen rename pipe2 fork fclose write'
export FAIL_PROGRAM=dalview
files=x.json right=''
sweep "$build/view/dalview" --trace=given.json -o x.json live.xml
functions='realloc open pipe2 fork rename write'
export FAIL_PROGRAM=dalsynth
files=made/net.c right=''
most=$((most == 2 ? 1 : most))
sweep "$dalsynth" -o made live.xml
[ $failures -eq 0 ] || fail "$failures calls that fail end otherwise"
echo "$0: all good"
