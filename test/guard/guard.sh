#!/usr/bin/env bash
# dalsynth --guard: who writes outside of a window is named, with port, firing and distance, and the program ends with 1. A
# program that does nothing wrong has the same bytes.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

[ -z "${DAL_SANITIZER:-}" ] || skip "sanitizers have a handler of their own"

cp "$input"/* .
ulimit -S -c 0
architecture core_0 core_1 >machine.xml
mapping "* - core_0" >one.xml
mapping "Source - core_0" "Keep - core_0" 'Faulty - core_* shadowcopies="2"' "Sink - core_1" >two.xml
synthesise -o plain guard.xml machine.xml one.xml
run 0 plain/guard
mv output wanted

# Lines: HOW, and what is said of process Faulty.
cat >faults <<'END'
1 firing 7 writes to port bytes, 1 bytes behind the end of its window of 100 bytes
2 firing 7 writes to port out, 9 bytes behind the end of its window of 400 bytes
3 firing 7 writes to port out, 39601 bytes behind the end of its window of 400 bytes
4 firing 7 writes to port out, 8 bytes before its window of 400 bytes
5 firing 7 writes to port out, 20000 bytes before its window of 400 bytes
6 firing 7 writes to port in, an input, at byte 13 of its window of 400 bytes
7 firing 7 reads port in, 5 bytes behind the end of its window of 400 bytes
8 firing 8 writes to port out, by a pointer that it has kept, at byte 13 of an earlier window of 400 bytes
9 firing 7 writes to port bytes, 4 bytes before its window of 100 bytes
10 firing 7 writes to port out, after the end call, at byte 13 of its window of 400 bytes
11 firing 7 writes to port in, after the end call, at byte 13 of its window of 400 bytes
END

# Other processors do not tell what was done at an address.
expect_words() {
    local words=$1
    if [ "$(uname -m)" != x86_64 ]; then
        sed -i -E 's/(writes to|reads) port/uses port/' messages
        words=$(sed -E 's/(writes to|reads) port/uses port/' <<<"$1")
    fi
    expect "$words" messages
}

# Copies have no variables in common, so they keep no pointer.
sed '/kept/d; s/windows_fire/copied_fire/' windows.c >copied.c
sed 's/"windows.c"/"copied.c" stateless="true"/' guard.xml >copies.xml
# Two phases a cycle, and a process with a thread of its own.
sed '5s/rateout="100"/rateout="100,100"/; 6,7s/ratein="100" tokenrateout="100"/ratein="100,100" tokenrateout="200"/' guard.xml >phases.xml
sed '5s/rateout="100"/rateout="dynamic"/; 6,7s/ratein="100"/ratein="dynamic"/' guard.xml >kpn.xml
cp guard.xml group.xml
for name in group copies phases kpn; do
    mapping=one.xml
    [ $name != copies ] || mapping=two.xml
    synthesise -o $name --guard $name.xml machine.xml $mapping
    run 0 $name/guard
    cmp -s output wanted || fail "$name: other bytes" output messages
    while read -r how words; do
        [[ $name.$how != copies.8 ]] || continue
        run 1 $name/guard -p Faulty.how=$how
        expect_words "guard: error: process Faulty: $words ("
    done <faults
done
# A state that is changed in place, by the process Keep.
while read -r how words; do
    run 1 group/guard -p Keep.how="$how"
    expect_words "guard: error: process Keep: $words ("
done <<'END'
1 firing 7 writes to port after, 1 bytes behind the end of its window of 4 bytes
2 firing 7 writes to port after, 8 bytes before its window of 4 bytes
3 firing 8 writes to port after, by a pointer that it has kept, at byte 1 of an earlier window of 4 bytes
END
grep -q 'phases = 2' phases/* && grep -q 'DAL_PROCESS_KPN' kpn/net.c && grep -q 'shadow_copies = 2' copies/net.c ||
    fail "not the kinds of processes that were meant"
# With AddressSanitizer in the source, also reads are told, and the line of each.
if echo 'int main(void) { return 0; }' | ${CC:-cc} -fsanitize=address -x c -o tried - 2>log && ./tried; then
    export ASAN_OPTIONS=detect_leaks=0
    sed 's/source="windows.c"/& cflags="-g -O0 -fsanitize=address" libs="-fsanitize=address"/' guard.xml >asan.xml
    synthesise -o asan --guard asan.xml machine.xml one.xml
    run 0 asan/guard
    cmp -s output wanted || fail "asan: other bytes" output messages
    while read -r how text words; do
        run 1 asan/guard -p Faulty.how="$how"
        expect "guard: error: process Faulty: $words (" messages
        line=$(grep -n "$(sed 's/_/ /g' <<<"$text")" windows.c | cut -d : -f 1)
        grep -q "^ *#0 .* windows_fire .*windows.c:$((line + 1))" messages || fail "asan: no line" messages
    done <<'END'
2 how_==_2 firing 7 writes to port out, 9 bytes behind the end of its window of 400 bytes
4 how_==_4 firing 7 writes to port out, 8 bytes before its window of 400 bytes
11 how_==_11 firing 7 writes to port in, after the end call, at byte 13 of its window of 400 bytes
12 how_==_12 firing 7 reads port in, 4 bytes before its window of 400 bytes
13 how_==_13 firing 7 reads port in, after the end call, at byte 13 of its window of 400 bytes
END
fi
run 2 "$dalsynth" --guard --library guard.xml
expect "--guard and --library exclude each other" messages
echo "$0: all good"
