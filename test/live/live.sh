#!/usr/bin/env bash
# DAL_VIEW: the page of a running network and its numbers; whom the server refuses, what it survives, and that the run's
# bytes are the same.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
[ -e "$build/rt/libdal-live.la" ] || skip "dal was built without libmicrohttpd"
command -v python3 >/dev/null || skip "python3 is missing"

cp "$input"/* .
synthesise -o live live.xml arch.xml map.xml

# What is wrong ends the program before anything fires.
for wrong in 8080x :65536 example.org:0 1.2.3.4.5:0 "[::1:0" :-1; do
    DAL_VIEW=$wrong run 1 live/live
    expect DAL_VIEW messages
    [ ! -s output ] || fail "DAL_VIEW=$wrong: it runs" output
done
DAL_VIEW=:0 DAL_VIEW_CLIENTS=0 run 1 live/live
expect "DAL_VIEW_CLIENTS=0: a number from 1 to" messages
DAL_VIEW=:0 DAL_VIEW_PATIENCE=x run 1 live/live
expect "DAL_VIEW_PATIENCE=x" messages

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
