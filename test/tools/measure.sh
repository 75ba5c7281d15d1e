#!/usr/bin/env bash
# dalinfo --measure: what it writes is read by dalsynth as it is, and refused where it is damaged.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

mkdir no-vendors folder
cp "$source"/apps/hello/*.xml "$source"/apps/hello/*.c "$source"/apps/hello/*.cl .

# is_read FILE: by dalsynth, which says nothing of it.
is_read() {
    run 0 "$dalsynth" --check hello.xml "$1" map-cores.xml
    [ ! -s messages ] || fail "something is said of $1" messages
}

run 0 "$dalinfo" --architecture -o plain.xml
run 0 "$dalinfo" --architecture --measure --time-limit=1 -o measured.xml
[ ! -s messages ] || fail "something cannot be measured" messages
is_read measured.xml

# All else is as without it.
sed '/^  <measured /,/^  <\/measured>/d' measured.xml | grep -v '^$' | diff - <(grep -v '^$' plain.xml) ||
    fail "the rest differs"

# costs KIND: how many there are
costs() {
    grep -c "<cost of=\"$1\"" measured.xml || true
}
cores=$(grep -c POSIX plain.xml)
devices=$(grep -c OPENCL plain.xml || true)
own=$(grep -c 'memory="own"' plain.xml || true)
[ "$cores" -gt 64 ] || [ "$(costs firing)" = "$cores" ] || fail "$cores cores, $(costs firing) firings" measured.xml
[ "$cores" -gt 64 ] || [ "$(costs copy)" = "$cores" ] || fail "$cores cores, $(costs copy) copies" measured.xml
if [ "$cores" -gt 1 ] && [ "$cores" -le 4 ]; then
    [ "$(costs wake)" = $((cores * (cores - 1))) ] || fail "$cores cores, $(costs wake) wakes" measured.xml
    [ "$(costs token)" = $((cores * (cores - 1))) ] || fail "$cores cores, $(costs token) tokens" measured.xml
fi
for kind in launch batch; do
    [ "$(costs $kind)" = "$devices" ] || fail "$devices devices, $(costs $kind) of $kind" measured.xml
done
for kind in upload download; do
    [ "$(costs $kind)" = "$own" ] || fail "$own devices with a memory of their own, $(costs $kind) of $kind" measured.xml
done

# A device with its own memory, where the build can have one.
DAL_TEST_MASK="unified fine_svm" run 0 "$dalinfo" --architecture --measure --time-limit=0.5 -o own.xml
if [ "$(grep -c 'memory="own"' own.xml)" -gt "$own" ]; then
    [ ! -s messages ] || fail "something cannot be measured" messages
    for kind in upload download; do
        expect "<cost of=\"$kind\" on=\"device_0\" latency=\"" own.xml
    done
    is_read own.xml
fi

# A machine without any OpenCL platform has cores all the same.
OCL_ICD_VENDORS=$work/no-vendors run 0 "$dalinfo" --architecture --measure --time-limit=0.1 -o cores.xml
[ ! -s messages ] || fail "something cannot be measured" messages
expect '<cost of="firing" on="core_0" latency="' cores.xml
! grep -q device_ cores.xml || fail "a device without a platform" cores.xml
is_read cores.xml

# One core only has nothing beside it.
first=$(sed -n '0,/POSIX/s/.*POSIX" identifier="\([0-9]*\)".*/\1/p' plain.xml)
OCL_ICD_VENDORS=$work/no-vendors run 0 taskset -c "$first" "$dalinfo" --architecture --measure --time-limit=0.1 -o one.xml
[ "$(grep -c '<cost ' one.xml)" = 2 ] || fail "one core has other costs than firing and copy" one.xml
is_read one.xml

# The machine is the same for all of them.
digest=$(sed -n 's/.* cores="\([0-9a-f]*\)".*/\1/p' measured.xml)
for file in cores.xml one.xml; do
    expect "cores=\"$digest\"" $file
done

# ---- damage --------------------------------------------------------------------------------------

# refuses SED TEXT: where a firing's line is changed, or one is added behind it
line=$(grep -n '<cost of="firing" on="core_0"' measured.xml | cut -d: -f1)
refuses() {
    sed "${line}$1" measured.xml >damaged.xml
    ! cmp -s measured.xml damaged.xml || fail "nothing is damaged by $1"
    run 1 "$dalsynth" --check hello.xml damaged.xml map-cores.xml
    grep -qE "^damaged.xml:($line|$((line + 1))): error: .*$2" messages || fail "not said of $1: $2" messages
}
refuses 's/latency="/latency="-/' 'this must be a time with its unit'
refuses 's/latency="[^"]*"/latency="0ns"/' 'latency is 0ns, must be more than 0, at most 10s'
refuses 's/latency="[^"]*"/latency="11s"/' 'latency is 11s, must be more than 0, at most 10s'
refuses 's/latency="[^"]*"//' "cost 'firing' has no latency"
refuses 's/"firing"/"firings"/' 'firings'
refuses 's/core_0/core_o/' "there is no processor 'core_o'; did you mean 'core_0'"
refuses 'p' 'is here a second time'

# ---- another machine, another time ---------------------------------------------------------------

# warns CODE SED: at the line of <measured>, and all goes on; without a code, nothing is said
line=$(grep -n '<measured ' measured.xml | cut -d: -f1)
warns() {
    sed "$line,$((line + 1))$2" measured.xml >changed.xml
    ! cmp -s measured.xml changed.xml || fail "nothing is changed by $2"
    run 0 "$dalsynth" --check hello.xml changed.xml map-cores.xml
    if [ -z "$1" ]; then
        [ ! -s messages ] || fail "something is said of $2" messages
    else
        grep -qE "^changed.xml:$line: warning: \\[$1\\] " messages || fail "no $1: $2" messages
        [ "$(wc -l <messages)" = 1 ] || fail "more is said of $2" messages
    fi
}
day() { # WHEN
    date -u -d "$1" +%Y-%m-%dT%H:%M:%SZ
}
other=$(printf '%s' "$digest" | tr 0-9a-f 1-9a-f0)
warns foreign-costs "s/cores=\"$digest\"/cores=\"$other\"/"
warns '' "s/devices=\"[^\"]*\"/devices=\"$other\"/"
warns old-costs "s/ at=\"[^\"]*\"/ at=\"$(day '91 days ago')\"/"
warns '' "s/ at=\"[^\"]*\"/ at=\"$(day '89 days ago')\"/"
warns old-costs "s/ at=\"[^\"]*\"/ at=\"$(day '2 days')\"/"
warns '' "s/ at=\"[^\"]*\"/ at=\"$(day '1 hour')\"/"
warns old-costs "s/ at=\"[^\"]*\"/ at=\"0001-01-01T00:00:00Z\"/"
warns old-costs "s/ at=\"[^\"]*\"/ at=\"9999-12-31T23:59:59Z\"/"
# The program is the same, but for what it says that it was made from.
for file in measured changed; do
    cp $file.xml architecture.xml
    run 0 "$dalsynth" --emit-only -o program hello.xml architecture.xml map-cores.xml
    mv program program-$file
done
expect old-costs messages
diff -r -I '^ *\.digest = ' program-measured program-changed || fail "a date makes another program"

# ---- the command line ----------------------------------------------------------------------------

run 2 "$dalinfo" --architecture --measure --nodes
expect "--measure is of this machine alone, not with --nodes" messages
run 2 "$dalinfo" --measure
expect "--measure is for --architecture" messages
run 2 "$dalinfo" --architecture --time-limit=1
expect "--time-limit is for --measure" messages
for seconds in 0 -1 1e9 nan one 1s ""; do
    run 2 "$dalinfo" --architecture --measure --time-limit=$seconds
    expect "--time-limit wants seconds" messages
done
run 1 "$dalinfo" --architecture --measure --time-limit=0.1 -o "$work/no/such/folder"
expect "cannot be written" messages
run 1 "$dalinfo" --architecture --measure --time-limit=0.1 -o /dev/full
expect "cannot be written" messages

# ---- a signal ------------------------------------------------------------------------------------

# At any moment: what was there stays, or all is written.
echo before >folder/file
ended=0
for delay in 0 0.1 0.3 0.6; do
    "$dalinfo" --architecture --measure --time-limit=60 -o folder/file 2>messages &
    running=$!
    sleep $delay
    kill -TERM $running 2>/dev/null || true
    status=0
    wait $running || status=$?
    running=''
    [ "$(ls -A folder)" = file ] || fail "left behind: $(ls -A folder)"
    if [ $status = 143 ]; then
        [ "$(cat folder/file)" = before ] || fail "written after a signal"
        ended=$((ended + 1))
    else
        [ $status = 0 ] || fail "exit status $status" messages
        is_read folder/file
        echo before >folder/file
    fi
done
[ $ended -gt 0 ] || fail "no signal came in time"
echo "$(grep -c '<cost ' measured.xml) costs, $ended ended by a signal"
