#!/usr/bin/env bash
# Taps, replay, a process alone, and dal diff: a tapped program has the same bytes, its recordings are the same on all mappings,
# a recording stands for its process, and the first wrong token is found.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

net=$input/taps.xml
architecture core_0 core_1 >machine.xml
mapping "* - core_0" >one.xml
mapping "* - core_*" >all.xml
synthesise -o plain "$net"
run 0 plain/taps
mv output wanted

# same WHAT PROGRAM ARGUMENT...: it prints what is wanted.
same() {
    run 0 "${@:2}"
    cmp -s output wanted || fail "$1 changes the bytes" output messages
}

# ---- taps
synthesise -o tapped --tap='*' "$net"
same "a tap without a folder" tapped/taps
[ ! -e rec ] || fail "something is written without DAL_TAP"
DAL_TAP=rec same "a tap" tapped/taps
[ "$(find rec -name '*.json' | wc -l)" -eq 6 ] || fail "not a recording for each port"
expect '"type": "float"' rec/Gauss.out.json
for name in one all; do
    synthesise -o $name --tap='*' "$net" machine.xml $name.xml
    DAL_TAP=rec-$name same "a tap on the mapping $name" $name/taps
    diff -r rec rec-$name >differ || fail "the mapping $name records other bytes" differ
done
synthesise -o some --tap=Gauss.out --tap='M*.k*' "$net"
DAL_TAP=rec same "taps at some ports" some/taps
(cd rec && ls ./*.json) >output
printf './%s.json\n' Gauss.out Mean.kept | cmp -s output - || fail "recordings of other ports, or of an earlier run" output
DAL_TAP=rec same "a tap" tapped/taps
refuse "--tap=Gaus.out: no output port has this name; did you mean 'Gauss.out'?" --tap=Gaus.out "$net"

# ---- what is no disk, and what is a full one
DAL_TAP=small DAL_TAP_BYTES=1K same "a limit" tapped/taps
expect "tap Gauss.out: small/Gauss.out.npy stops after 128 tokens (DAL_TAP_BYTES=1024)" messages
DAL_TAP=wanted run 1 tapped/taps
expect "DAL_TAP=wanted: " messages
DAL_TAP=small DAL_TAP_BYTES=x run 1 tapped/taps
expect "DAL_TAP_BYTES=x: " messages
(ulimit -f 8 && DAL_TAP=full run 1 tapped/taps && cmp -s output wanted) || fail "a full disk changes the bytes"
expect "port Gauss.out: full/Gauss.out.npy: cannot be written: " messages
[ -z "$(ls full)" ] || fail "a part of a recording looks whole"

# ---- recordings in the place of processes, and processes alone
for process in Source Gauss Mean Pick Pack Sink; do
    synthesise -o replayed --replay=$process=rec "$net" machine.xml all.xml
    [ $process = Sink ] || same "the recording of $process" replayed/taps
    synthesise -o alone --only=$process "$net" machine.xml one.xml
    DAL_RECORDING=rec run 0 alone/taps
done
synthesise -o alone --only=Mean=rec "$net"
run 1 alone/taps -p Mean.wrong=77
expect "port Mean.out: firing 77, token 77, element 0: 1016419.9469020714 and 1016419.9469020715 (1 ULP)" messages
synthesise -o alone --only=Pick=rec "$net"
run 1 alone/taps -p Pick.wrong=5
expect "port Pick.out: firing 5, token 5, element 2: 450429 and 603415" messages
run 1 alone/taps -p Pick.wrong=5
DAL_RECORDING=none run 1 alone/taps
expect "none/Source.out.npy: No such file" messages
refuse "--replay=Gaus: there is no process 'Gaus'; did you mean 'Gauss'?" --replay=Gaus=rec "$net"
refuse "--replay=Gauss=none: the recording of Gauss.out is not there" --replay=Gauss=none "$net"
refuse "--only=Gauss=small: the recording of Source.out stops at a limit" --only=Gauss=small "$net"
sed 's/float\[2\]/float[1]/; s/tokenratein="1" tokenrateout="2"/tokenratein="2" tokenrateout="4"/' "$net" >other.xml
cp "$input"/*.[ch] .
refuse "--replay=Gauss=rec: the recording of Gauss.out has tokens of 8 bytes, and the channel of 4" --replay=Gauss=rec other.xml

# ---- dal diff: a wrong bit in one firing, also in a ring of channels and in a copy, is found upstream first
dal=$build/tools/dal
run 0 "$dal" diff rec rec-all
[ ! -s output ] || fail "it prints something of recordings that are the same" output
RANDOM=7
for ((i = 0; i < 30; i++)); do
    set -- Source 2000 Gauss 4000 Mean 2000 Pick 1000 Pack 1900
    shift $((i % 5 * 2))
    at=$((RANDOM % $2))
    DAL_TAP=wrong run 0 all/taps -p "$1.wrong=$at"
    run 1 "$dal" diff rec wrong
    place="firing $at, "
    [ "$1" != Pack ] || place=''
    port=$1.out
    [ "$1" != Mean ] || port=Mean.kept
    head -n 1 output | grep -q "^$port: ${place}token " || fail "$1 is wrong in firing $at" output
done
DAL_TAP=wrong run 0 all/taps -p Gauss.wrong=100
run 1 "$dal" diff rec wrong
expect "Gauss.out: firing 100, token 100, element 1 (float): 33678.8555 and 33678.8516 (1 ULP)" output
DAL_TAP=wrong run 0 all/taps -p Source.wrong=100
run 1 "$dal" diff rec wrong
expect "  then Gauss.out: firing 200, token 200, element 0 (float): " output
DAL_TAP=wrong run 0 all/taps -p Source.rows=1000
run 1 "$dal" diff rec wrong
expect "Source.out: firing 1000, 8000 and 4000 tokens" output
DAL_TAP=rec-some run 0 some/taps
run 1 "$dal" diff rec rec-some
expect "Source.out: only in rec" output
run 2 "$dal" diff rec none
expect "none: " messages
mkdir none
run 2 "$dal" diff rec none
expect "it has no recordings" messages
echo "$((i)) wrong tokens found"
