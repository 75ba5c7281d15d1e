#!/usr/bin/env bash
# DAL_VIEW: the page of a running network and its numbers; whom the server refuses, what it survives, and that the run's
# bytes are the same.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
[ -e "$build/rt/libdal-live.la" ] || skip "dal was built without libmicrohttpd"
command -v python3 >/dev/null || skip "python3 is missing"

cp "$input"/* .
synthesise -o live live.xml arch.xml map.xml

# run_beside STATUS COMMAND...: as run, while another program runs
run_beside() {
    local wanted=$1 status=0
    shift
    "$@" >out 2>log || status=$?
    [ $status -eq "$wanted" ] || fail "exit status $status instead of $wanted: $*" log
}

# What is wrong ends the program before anything fires.
for wrong in 8080x :65536 example.org:0 1.2.3.4.5:0 "[::1:0" :-1; do
    DAL_VIEW=$wrong run 2 live/live
    expect DAL_VIEW messages
    ! grep -q "ended early" messages || fail "DAL_VIEW=$wrong: it begins" messages
    [ ! -s output ] || fail "DAL_VIEW=$wrong: it runs" output
done
DAL_VIEW=:0 DAL_VIEW_CLIENTS=0 run 2 live/live
expect "DAL_VIEW_CLIENTS=0: a number from 1 to" messages
DAL_VIEW=:0 DAL_VIEW_PATIENCE=x run 2 live/live
expect "DAL_VIEW_PATIENCE=x" messages

# The library of the server may be missing.
mkdir alone
cp "$build"/rt/.libs/libdal.so.0 alone
LD_LIBRARY_PATH=$work/alone DAL_VIEW=:0 run 1 live/live
expect "libdal-live.so.0 (Debian package: libdal-live0), which dal has when libmicrohttpd was there" messages

# The same bytes with and without.
run 0 live/live -p Source.nap_us=0
mv output plain
for where in :0 localhost:0 0.0.0.0:0; do
    DAL_VIEW=$where run 0 live/live -p Source.nap_us=0
    expect "the page of this run is http://" messages
    cmp plain output || fail "DAL_VIEW=$where changes what is printed"
done
DAL_VIEW=0 run 0 live/live -p Source.nap_us=0
[ ! -s messages ] || fail "DAL_VIEW=0 serves" messages

address() {
    sed -n 's/.*\(http:[^ ]*\)$/\1/p' messages
}
has_address() { [ -n "$(address)" ]; }

DAL_VIEW=127.0.0.1:0 DAL_VIEW_PATIENCE=1 start live/live -p Source.count=1000000000
until_so has_address
url=$(address)
[[ $url =~ ^http://127\.0\.0\.1:[0-9]+/\?token=[0-9a-f]{32}$ ]] || fail "the address is $url"

# Somebody else's port
port=${url#http://127.0.0.1:}
status=0
DAL_VIEW=127.0.0.1:${port%%/*} live/live >out 2>log || status=$?
[ $status = 1 ] || fail "two at one port" log
expect "Address already in use" log

python3 "$source/test/live/clients.py" "$url" $running >log 2>&1 || fail "clients" log messages
kill -INT $running
ended
[ $status = 0 ] || fail "it ends with $status" messages
awk '$1 != 3 * (NR - 1) { exit 1 }' output || fail "with clients it prints something else" output
[ "$(wc -l <output)" -gt 1000 ] || fail "it has printed little" output
cat log

# Changes of a live parameter, and the same run again from what it has written. A KPN process has iterations of one firing.
sed 's/to="Scale.in"/& tokenratein="1" tokenrateout="dynamic"/; /<latency/d' live.xml >kpn.xml
for network in live kpn; do
    synthesise -o changed $network.xml arch.xml map.xml
    DAL_VIEW=:0 DAL_CONTROL=./socket DAL_RECORD=record start changed/live -p Source.count=1000000000
    until_so has_address
    until_so test -S socket
    [ "$(stat -c %a socket)" = 600 ] || fail "the socket is for others, too"
    DAL_CONTROL=./socket run_beside 1 changed/live
    python3 "$source/test/live/change.py" "$(address)" ./socket messages >log 2>&1 || fail "changes" log messages
    # Who is refused leaves a record as it is.
    cp record kept
    url=$(address)
    url=${url#http://}
    DAL_CONTROL=./socket DAL_RECORD=record run_beside 1 changed/live
    expect "Address already in use" log
    DAL_RECORD=record run_beside 1 changed/live
    expect "DAL_RECORD=record cannot be written: another program writes it" log
    cmp record kept || fail "another program changes the record" record
    DAL_VIEW=${url%%/*} DAL_RECORD=kept run_beside 1 changed/live
    cmp record kept || fail "a program without its page empties a record" kept
    kill -INT $running
    ended
    [ $status = 0 ] || fail "it ends with $status" messages
    [ ! -e socket ] || fail "the socket is left"
    mv output first
    [ "$(wc -l <record)" = 11 ] || fail "what was changed" record
    [ $network = kpn ] || awk '$1 % 3 { exit 1 }' record || fail "within an iteration" record
    awk 'NR == FNR { split($2, v, "="); from[++n] = $1; value[n] = v[2]; next }
        { while (k < n && from[k + 1] <= FNR - 1) k++; if ($1 != (k ? value[k] : 3) * (FNR - 1)) exit 1 }' record first ||
        fail "$network: a change is not where the record has it" record
    for nap in 0 10; do
        DAL_REPLAY=record DAL_RECORD=again run 0 changed/live -p Source.nap_us=$nap -p Source.count="$(wc -l <first)"
        cmp first output || fail "$network: another run than was written"
        cmp record again || fail "$network: other changes than were written" again
    done
    rm changed -r
done
for line in x "1 Scale.factor" "1 Scale.none=1" "-1 Scale.factor=1" "1 Scale.factor=x" "1Scale.factor=1" ""; do
    printf '0 Scale.factor=2\n%s\n' "$line" >wrong
    DAL_REPLAY=wrong run 1 live/live
    expect "wrong:2: DAL_REPLAY" messages
    [ ! -s output ] || fail "it runs" output
done
DAL_REPLAY=missing run 1 live/live
DAL_RECORD=missing/record run 1 live/live
DAL_CONTROL=missing/socket run 1 live/live
echo "9999999 Scale.factor=2" >late
DAL_REPLAY=late run 0 live/live -p Source.nap_us=0
expect "has ended before 1 of its changes" messages

# dal get and dal set, of a socket and of a program
tool() { # STATUS TEXT ARGUMENT...
    run_beside "$1" "$build/tools/dal" "${@:3}"
    grep -qF -e "$2" out log || fail "dal ${*:3}: not '$2'" out log
}
tool 1 "no program that runs with DAL_CONTROL" get live/live
tool 1 "No such file" get ./socket
DAL_CONTROL=./socket start live/live -p Source.count=1000000000
until_so test -S socket
tool 0 "Scale.factor=3" get live/live
tool 0 "Scale.offset=0 (float, from -4 to 20)" get ./socket
[ "$(wc -l <out)" = 2 ] || fail "other live parameters" out
tool 0 "Scale.offset: is changed at the end of the iteration" set live/live Scale.offset=12.5
is_changed() { "$build/tools/dal" get ./socket Scale.offset | grep -qxF 'Scale.offset=12.5 (float, from -4 to 20)'; }
until_so is_changed
tool 1 'Scale.offset: "21" is out of range: it must be from -4 to 20' set ./socket Scale.offset=21
tool 1 'Scale.offset: "loud" is no float' set ./socket Scale.offset=loud
tool 1 "Scale.factor: the value is no integer, as it was, and the parameter has no type" set ./socket Scale.factor=1.5
tool 1 "there is no parameter Scale.gain" set ./socket Scale.gain=1
tool 1 "there is no parameter Scale.gain" get ./socket Scale.gain
tool 1 "parameter Source.count is not live" set ./socket Source.count=1
tool 1 "parameter Source.count is not live" get ./socket Source.count
tool 1 "PROCESS.PARAMETER=VALUE of a live parameter is wanted" set ./socket Scale.factor
tool 2 "a socket or a program that runs is wanted, and a change" set ./socket
kill -INT $running
ended
[ $status = 0 ] || fail "it ends with $status" messages
awk 'NR > 1 && $1 == 3 * (NR - 1) + 25 { found = 1 } END { exit !found }' output || fail "12.5 has not come" output
