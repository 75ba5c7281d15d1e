# What the scripts of tests share. Each of them reads this file first, and is then in a folder of its own, which is
# removed when it ends.
# shellcheck shell=bash disable=SC2034 # no test uses all of it
set -euo pipefail

source=${DAL_SRCDIR:?}
build=${DAL_BUILDDIR:?}
dalsynth=$build/synth/dalsynth
dalinfo=$build/tools/dalinfo
input=$(cd "$(dirname "$0")" && pwd)/input # what the test reads
# Of the same name whenever it is free: ccache knows what was made there before.
work=${TMPDIR:-/tmp}/dal-$(basename "$0" .sh).$(cksum <<<"$build$0" | cut -d ' ' -f 1)
mkdir -m 700 "$work" 2>/dev/null || work=$(mktemp -d "$work.XXXXXX")
cd "$work"
# Nothing of a test is left in the cache of a user. What dalsynth compiles to try a program, the program loads.
export DAL_KERNEL_CACHE=$work/.kernels
running='' # the program that the test has started in the background, if any

clean_up() {
    [ -z "$running" ] || kill -KILL $running 2>/dev/null || true
    rm -rf "$work"
}
trap clean_up EXIT

# fail WHAT [FILE...]: ends the test; the last lines of the files tell more.
fail() {
    echo "FAIL: $1"
    shift
    [ $# -eq 0 ] || tail -n 20 "$@" 2>/dev/null || true
    exit 1
}

# check WHAT STATUS: ends the test unless it is 0, with what was written to `log` and `out`.
passed=0
check() {
    [ "$2" -eq 0 ] || fail "$1" log out
    passed=$((passed + 1))
}

# in_part NUMBER: is this one of the inputs that the test tries? All are, unless DAL_TEST_PART=K/N says that it tries every N-th.
test_part=${DAL_TEST_PART:-1/1} test_inputs=0
test_parts=${test_part#*/} test_part=$((${test_part%/*} % ${test_part#*/}))
in_part() {
    [ $(($1 % test_parts)) -eq $test_part ]
}

# is_next: in_part of inputs that are counted here
is_next() {
    test_inputs=$((test_inputs + 1))
    in_part $test_inputs
}

skip() { # WHAT-IS-MISSING
    echo "$1"
    exit 77
}

expect() { # TEXT FILE
    grep -qF -e "$1" "$2" || fail "missing: $1" "$2"
}

# run STATUS COMMAND...: what it prints goes to `output` and `messages`. Another exit status fails.
run() {
    local wanted=$1
    shift
    status=0
    "$@" >output 2>messages || status=$?
    [ $status -eq "$wanted" ] || fail "exit status $status instead of $wanted: $*" output messages
}

# synthesise ARGUMENT...: dalsynth succeeds; what it says goes to `made`.
synthesise() {
    "$dalsynth" "$@" >made 2>&1 || fail "dalsynth $*" made
}

# lacks_packages NETWORK: does it want a library that this system does not have? Jobs made of parts do.
lacks_packages() {
    ! "$dalsynth" --check "$1" >/dev/null 2>lacking && grep -q '\[packages\]' lacking
}

# refuse TEXT ARGUMENT...: dalsynth fails, says this in `messages`, and writes nothing.
refuse() {
    local text=$1
    shift
    run 1 "$dalsynth" -o refused "$@"
    expect "$text" messages
    [ ! -e refused ] || fail "dalsynth $* writes something"
}

# start COMMAND...: in the background, with the signals that a program of a terminal has.
start() {
    : >output # before anybody waits for what it says
    : >messages
    env --default-signal=INT,TERM "$@" >output 2>messages &
    running=$!
}

# until_so CONDITION...: waits for it as long as the program runs that was started.
until_so() {
    until "$@"; do
        kill -0 $running 2>/dev/null || fail "it ended by itself" messages
        sleep 0.02
    done
}

# ended: waits for the end of what was started, and sets `status`.
ended() {
    status=0
    wait $running || status=$?
    running=
}

# simulator FOLDER: writes the file there that gives the driver Oclgrind; fails where it is missing.
simulator() {
    local library
    for library in /usr/lib{,64}/{oclgrind/,} /usr/lib/*-linux-gnu/; do
        library+=liboclgrind-rt-icd.so
        [ -e "$library" ] || continue
        mkdir -p "$1"
        echo "$library" >"$1/oclgrind.icd"
        return
    done
    return 1
}

# use_standin: from here on the driver of CUDA is the stand-in for it (test/cuda/standin), whose kernels the host's compiler
# makes; fails where one of them is missing, or with ThreadSanitizer, which its kernels are not for.
use_standin() {
    local folder=$build/test/cuda/standin/.libs
    [ -e "$folder/libstandin_cuda.so" ] && [[ ${DAL_SANITIZER:-} != *thread* ]] &&
        { [ -n "${DAL_STANDIN_CXX:-}" ] || command -v g++ clang++ c++ >/dev/null; } || return 1
    export DAL_CUDA_DRIVER=$folder/libstandin_cuda.so DAL_CUDA_COMPILER=$folder/libstandin_nvrtc.so
}

# use_cuda: from here on CUDA has the driver and compiler that the caller of the test names (doc/develop/testing.md), or else
# the stand-in. Fails where neither is there.
use_cuda() {
    [ -n "${DAL_CUDA_DRIVER:-}" ] || use_standin
}

# two_devices: what makes two devices of PoCL on any machine; nothing where that cannot be.
two_devices() {
    local names
    for names in "pthread basic" "cpu cpu-minimal"; do # they differ between versions
        if POCL_DEVICES=$names "$dalinfo" --architecture 2>/dev/null | grep 'name="device_1" type' >/dev/null; then
            echo "$names"
            return
        fi
    done
}

# find_numpy: sets `python` to an interpreter that has NumPy; fails without.
find_numpy() {
    for python in python3 /usr/bin/python3; do
        ! "$python" -c 'import numpy' 2>/dev/null || return 0
    done
    return 1
}

# has_device FILE: is there one in this architecture?
has_device() {
    grep -q 'name="device_0" type' "$1"
}

# find_browser: skips the test without Chromium, or without the library of npm that drives it. Sets `driver`, the folder
# of that, which is kept.
find_browser() {
    local program
    for program in chromium node npm; do
        command -v $program >/dev/null || skip "$program is missing"
    done
    driver=$build/test/view/driver
    [ ! -d "$driver/node_modules/puppeteer-core" ] || return 0
    mkdir -p "$driver"
    (cd "$driver" && npm install --no-audit --no-fund --no-save --ignore-scripts puppeteer-core@22) >log 2>&1 ||
        skip "npm cannot bring puppeteer-core: $(tail -n 1 log)"
}

# find_mpi: sets `launch`, the words that start ranks on this machine: $launch -n N COMMAND. Fails, and says what is
# missing.
find_mpi() {
    [ -e "$build/rt/libdal-mpi.la" ] || { echo "dal was built without MPI" && return 1; }
    command -v mpirun >/dev/null || { echo "mpirun is missing" && return 1; }
    export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
    launch="mpirun $([ "$(id -u)" -ne 0 ] || echo --allow-run-as-root)"
}

# without_leaks: what Open MPI leaves cannot be told from what is ours, since its parts are unloaded.
without_leaks() {
    export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
}

# ranks N COMMAND...: after find_mpi
ranks() {
    # shellcheck disable=SC2086 # words
    $launch -n "$@"
}

# ranks_are_there: are both of two that were started? Sets `near` and `far` to the processes of ranks 0 and 1.
ranks_are_there() {
    local pids
    pids=$(ps -o pid= --ppid $running | sort -n)
    [ "$(echo "$pids" | wc -l)" -ge 2 ] || return 1
    near=$(process_of_rank 0 "$pids")
    far=$(process_of_rank 1 "$pids")
    [ -n "$near" ] && [ -n "$far" ]
}

process_of_rank() { # RANK PROCESSES
    local pid
    for pid in $2; do
        ! tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$1" || echo "$pid"
    done
}

# architecture PROCESSOR...: a machine of cores, of a device where the name begins so, and of CUDA's where it is cuda. The
# device is a processor, unless DAL_TEST_KIND says GPU.
architecture() {
    local name core=0 capability
    echo '<architecture name="machine">'
    for name; do
        if [[ $name == device* ]]; then
            capability="name=\"OPENCL\" identifier=\"${DAL_TEST_KIND:-CPU}_DEV1\""
        elif [[ $name == cuda* ]]; then
            capability='name="CUDA" identifier="GPU_DEV1"'
        else
            capability="name=\"POSIX\" identifier=\"$core\""
            core=$((core + 1))
        fi
        echo "<processor name=\"$name\" type=\"RISC\"><capability $capability/></processor>"
    done
    echo '</architecture>'
}

# mapping LINE...: "PROCESS SOURCE PROCESSOR [ATTRIBUTES-OF-TARGET | ELEMENTS]", source - for the only one, or an element
mapping() {
    local line process id processor rest number=0
    echo '<mapping name="m">'
    for line; do
        read -r process id processor rest <<<"$line"
        [[ $line != "<"* ]] || { echo "$line" && continue; }
        [[ -z $rest || $rest == "<"* ]] || rest="<target $rest/>"
        [ "$id" = - ] && id='' || id="sourceid=\"$id\""
        number=$((number + 1))
        echo "<binding name=\"b$number\"><process name=\"$process\" $id/><processor name=\"$processor\"/>$rest</binding>"
    done
    echo '</mapping>'
}

# napping NAME NANOSECONDS [LINE]: the source of a process that sleeps, and hands a number on from port in to port out; with
# a line of C in front of it.
napping() {
    cat <<END
#include "dal.h"
#include <time.h>
${3:-}
int $1_fire(DALProcess *p)
{
    struct timespec nap = {0, $2};
    int token;
    nanosleep(&nap, NULL);
    DAL_read(PORT_in, &token, sizeof(token), p);
    DAL_write(PORT_out, &token, sizeof(token), p);
    return 0;
}
END
}

# channel NAME FROM PORT TO PORT [ATTRIBUTES]: with both of its connections. Tokens have 4 bytes unless they say so.
channel() {
    local attributes=${6:-}
    [[ $attributes == *tokensize=* ]] || attributes+=' tokensize="4"'
    cat <<END
<sw_channel name="$1" $attributes><port type="input" name="in"/><port type="output" name="out"/></sw_channel>
<connection name="to_$1"><origin name="$2"><port name="$3"/></origin><target name="$1"><port name="in"/></target></connection>
<connection name="from_$1"><origin name="$1"><port name="out"/></origin><target name="$4"><port name="$5"/></target></connection>
END
}
