#!/usr/bin/env bash
# The order of folders holds: a folder uses those below it, by includes and by symbols, and the circles of files are those
# that are listed. REGENERATE=1 lists them anew. Files and structs that are too large are those of a list, too.
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

# Large files and structs are those of the list, and the list has no other row.
exceptions() { # SOURCE TABLE
    python3 "$source/test/order/exceptions.py" "$@" 2>messages
}
exceptions "$source" "$source/doc/develop/exceptions.md" || fail "large files and structs are not those of the list" messages

mkdir -p house/rt
printf '\n%.0s' {1..501} >house/rt/long.c
{
    echo 'struct wide { int (*call)(int, int), b[2], c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t; struct { int v, w; } u; };'
    echo 'struct narrow { int (*call)(int, int), b[2], c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s; struct { int v, w; } t; };'
} >house/rt/structs.h
# rows NAME...: a table of them. The last has no reason.
rows() {
    printf '| `%s` | a reason |\n' "${@:1:$#-1}"
    printf '| `%s` | |\n' "${@: -1}"
}
rows 'struct wide' rt/long.c | sed 's/| |/| a reason |/' >table.md
exceptions house table.md || fail "a list that is exact" messages
rows rt/structs.h 'struct narrow' rt/none.c 'struct wide' >table.md
exceptions house table.md && fail "a list that is wrong"
expect "table.md: rt/long.c is above 500 lines (501): make it smaller, or add a row with the reason" messages
expect "table.md: rt/structs.h is no longer above 500 lines (2): take its row out" messages
expect "table.md: struct narrow is no longer above 20 members (20): take its row out" messages
expect "table.md: rt/none.c is nowhere: take its row out, or name it anew" messages
expect "table.md: struct wide: its row has no reason" messages
rows rt/long.c >table.md
exceptions house table.md && fail "a struct that is not listed"
expect "table.md: struct wide is above 20 members (21): make it smaller, or add a row with the reason" messages
