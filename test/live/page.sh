#!/usr/bin/env bash
# The page of a running network in Chromium: numbers that move, and the end of the run.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
[ -e "$build/rt/libdal-live.la" ] || skip "dal was built without libmicrohttpd"
find_browser

cp "$input"/* .
sed -i 's|</processnetwork>|  <latency from="Scale" to="Sink" max="1us"/>\n&|' live.xml
synthesise -o live live.xml arch.xml map.xml
address() {
    sed -n 's/.*\(http:[^ ]*\)$/\1/p' messages
}
has_address() { [ -n "$(address)" ]; }
DAL_VIEW=:0 start live/live -p Source.count=1000000000
until_so has_address
mkdir -p "$build/test/view/screenshots"
NODE_PATH=$driver/node_modules node "$source/test/live/page.js" "$(command -v chromium)" "$(address)" $running \
    "$build/test/view/screenshots/live.png" >log 2>&1 || fail "the page" log messages
ended
[ $status = 0 ] || fail "it ends with $status" messages
