#!/usr/bin/env bash
# apps/rds, a station and its receiver: what is sent is read, on any mapping and out of a recording; noise makes groups lost.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp "$source"/apps/rds/* .
synthesise -o rds rds.xml
words=(-p Station.Encode.groups=24 -p Station.Encode.name=Anna -p "Station.Encode.text=A short text, and its end.")
read_it() { # GROUPS PROGRAM OPTION...
    run 0 "${@:2}"
    printf '%s\n' "name: Anna" "$1 groups, 0 lost" >wanted
    cmp -s output wanted || fail "other words" output
}
read_it 23 rds/rds "${words[@]}"
"$dalinfo" --architecture -o machine.xml
mapping '* - core_0' >one.xml
synthesise -o one rds.xml machine.xml one.xml
read_it 23 one/rds "${words[@]}"

# As it comes out of a file, without a clock. The text has 16 parts, in every other group.
sed 's/ period="842105ns" deadline="90ms" overrun="catchup"//' transmitter.xml >fast.xml
synthesise -o sender fast.xml
synthesise -o receiver receiver.xml
sent() { # OPTION...
    run 0 sender/transmitter --radio=radio.raw -p Encode.groups=80 -p "Encode.text=A short text, and its end." "$@"
    run 0 receiver/receiver --radio=radio.raw
}
sent
printf '%s\n' "name: dal fm" "text: A short text, and its end." "79 groups, 0 lost" | cmp -s - output || fail "other words" output
sent -p Modulate.noise=0.2
grep -q '^name: dal fm$' output || fail "noise takes the name" output
grep -q ' 0 lost$' output && fail "noise loses nothing" output
sent -p Modulate.noise=1
echo "0 groups, 0 lost" | cmp -s - output || fail "noise has words" output
