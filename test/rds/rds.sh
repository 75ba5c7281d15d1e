#!/usr/bin/env bash
# apps/rds, a station and its receiver: what is sent is read, on any mapping and out of a recording; noise makes groups lost.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp "$source"/apps/rds/* .
synthesise -o rds rds.xml
words=(-p Station.Encode.groups=24 -p Station.Encode.name=Anna -p "Station.Encode.text=A short text, and its end.")
read_it() { # GROUPS PROGRAM OPTION...
    run 0 "${@:2}"
    printf '%s\n' "name: Anna" "text: A short text, and its end." "$1 groups, 0 lost" >wanted
    cmp -s output wanted || fail "other words" output
}
read_it 23 rds/rds "${words[@]}"
"$dalinfo" --architecture -o machine.xml
mapping '* - core_0' >one.xml
synthesise -o one rds.xml machine.xml one.xml
read_it 23 one/rds "${words[@]}"

# As it comes out of a file, without a clock. The text has up to 16 parts, in every other group.
sed 's/ period="842105ns" deadline="90ms" overrun="catchup"//' transmitter.xml >fast.xml
synthesise -o sender fast.xml
synthesise -o receiver receiver.xml
sent() { # OPTION...
    run 0 sender/transmitter --radio=radio.raw -p Encode.groups=80 -p "Encode.text=A short text, and its end." "$@"
    run 0 receiver/receiver --radio=radio.raw
}
sent
printf '%s\n' "name: dal fm" "text: A short text, and its end." "79 groups, 0 lost" | cmp -s - output || fail "other words" output
# Version B; a text that has all its letters, and so no end; letters that a terminal obeys.
sent -p Encode.version=B
printf '%s\n' "name: dal fm" "text: A short text, and its end." "79 groups, 0 lost" | cmp -s - output || fail "version B" output
whole=0123456789abcdef0123456789abcdef
sent -p Encode.version=B -p "Encode.text=$whole"
expect "text: $whole" output
sent -p "Encode.text=$whole$whole"
expect "text: $whole$whole" output
sent -p "Encode.text=$(printf 'a\033[2J\x80z')"
expect "text: a?[2J?z" output
# A station that tells a new text from a group on, and says so: nothing of the old one stays in it.
sed 's/^ *long place = .*/if (s->group >= 40) memcpy(s->text, "abcdefgh", 8), information[1] |= 16;\n&/' encode.c >two.c
sed 's/encode.c/two.c/' fast.xml >two.xml
synthesise -o two two.xml
run 0 two/transmitter --radio=radio.raw -p Encode.groups=80 -p Encode.text=ABCDEFGH
run 0 receiver/receiver --radio=radio.raw
printf '%s\n' "text: ABCDEFGH" "name: dal fm" "text: abcdefgh" "79 groups, 0 lost" | cmp -s - output || fail "two texts" output
sent -p Modulate.noise=0.2
grep -q '^name: dal fm$' output || fail "noise takes the name" output
grep -q ' 0 lost$' output && fail "noise loses nothing" output
sent -p Modulate.noise=1
echo "0 groups, 0 lost" | cmp -s - output || fail "noise has words" output
