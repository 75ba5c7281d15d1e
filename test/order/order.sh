#!/usr/bin/env bash
# The order of folders holds: a folder uses those below it, by includes and by symbols, and the circles of files are those
# that are listed. REGENERATE=1 lists them anew.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
command -v python3 >/dev/null && command -v nm >/dev/null || skip "python3 or nm is missing"
tables=$source/test/order/input

order() { # ROOMS CIRCLES [OPTION]
    python3 "$source/test/order/order.py" "$source" "$build" "$@" >output 2>messages
}
order "$tables/rooms" "$tables/circles" ${REGENERATE:+--write} || fail "the order of folders" messages
cat output

# What is not in order is found: a use that is taken out of the table, a room below itself, a circle that is not listed.
sed 's/^channels .*/channels/' "$tables/rooms" >rooms
order rooms "$tables/circles" && fail "channels use nothing, and that is in order"
expect "channels/channel.h includes rt/base/error.h" messages
expect "channels/storage.c uses dal_free of rt/base/alloc.c" messages
sed 's/^rt\/base$/& rt\/host/' "$tables/rooms" >rooms
order rooms "$tables/circles" && fail "the ground uses a room above it"
expect "rt/base uses rt/host, which does not stand above it" messages
sed 1d "$tables/circles" >circles
order "$tables/rooms" circles && fail "a circle that is not listed"
expect "does not list" messages
