#!/usr/bin/env bash
# What libdal shows to programs is what rt/libdal.map says, by name and version: who takes a name away breaks programs, and these say
# which version they want. dal_run.h is C11 and C++ by itself. What is called from programs of others neither ends them nor prints.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

awk '/^DAL_/ { version = $1 } /^    [A-Za-z_]+;$/ { sub(";", ""); print $1 "@@" version }' "$source/rt/libdal.map" | LC_ALL=C sort >names
grep -q '^SHOWN = .*version-script' "$build/Makefile" || sed -i 's/@@.*//' names
if command -v nm >/dev/null; then
    nm -D --defined-only --with-symbol-versions "$build/rt/.libs/libdal.so" | awk '$2 ~ /^[TDBRVW]$/ { print $3 }' | LC_ALL=C sort >symbols
    cmp -s names symbols || fail "libdal shows other names than rt/libdal.map has" <(diff names symbols)
fi

# Each call of the header is there.
grep -oE '\bdal_run_[a-z]+\(' "$source/include/dal_run.h" | tr -d '(' | sort -u >calls
[ "$(wc -l <calls)" -gt 10 ] || fail "calls of dal_run.h" calls
while read -r name; do
    grep -qE "^$name(@|$)" names || fail "dal_run.h has $name, libdal not"
done <calls

# The header alone.
cp "$source/include/dal_run.h" .
echo '#include "dal_run.h"' >alone.c
cp alone.c alone.cpp
${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only alone.c >log 2>&1 || fail "dal_run.h in C11" log
if command -v "${CXX:-c++}" >/dev/null; then
    ${CXX:-c++} -std=c++11 -Wall -Wextra -Wpedantic -Wconversion -Werror -fsyntax-only alone.cpp >log 2>&1 || fail "dal_run.h in C++11" log
fi

# A program asks for the version that it was linked with.
if grep -q @ names && command -v readelf >/dev/null; then
    echo 'int main(void) { return *dal_run_message((void *)0); }' >>alone.c
    ${CC:-cc} -o alone alone.c "$build/rt/.libs/libdal.so" >log 2>&1 || fail "a program with libdal" log
    readelf -V alone >log
    expect "Name: DAL_0.1" log
fi

# A library in somebody else's program.
! grep -nE '\b(exit|_exit|_Exit|abort|v?f?printf|puts|putchar|perror|signal|sigaction|setlocale|chdir) *\(' "$source"/rt/run/*.c "$source"/rt/streams/*.c "$source"/rt/kpn/call.c >log || fail "what a library must not do" log

# In a program that writes numbers with a comma.
if localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 >log 2>&1; then
    LOCPATH=$PWD DAL_TEST_LOCALE=de_DE.UTF-8 "$build/test/run/test_run_within" >log 2>&1 || fail "numbers with a comma" log
fi
