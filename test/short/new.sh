#!/usr/bin/env bash
# The first minutes of a new user: dal new, dal add process, and what they make. Nothing that was made is edited.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

PATH=$build/tools:$build/synth:$PATH
unset MAKEFLAGS MAKELEVEL MFLAGS # of the make that runs the tests

# ---- five commands -----------------------------------------------------------------------------------------------------

run 0 dal new first
cd first
run 0 make -s run
[ "$(tr '\n' ' ' <output)" = '1 4 9 16 25 36 49 64 81 100 ' ] || fail 'other numbers on the cores' output messages
[ -e compile_commands.json ] || fail 'an editor finds no compile_commands.json'
if has_device arch.xml; then
    run 0 make -s run-device
    [ "$(tr '\n' ' ' <output)" = '1 4 9 16 25 36 49 64 81 100 ' ] || fail 'other numbers on a device' output messages
fi

# What an editor is told is there, and says that the files are right.
for file in first.xml map-cores.xml map-device.xml; do
    schema=$(sed -n 's/^<?xml-model href="\([^"]*\)".*/\1/p' $file)
    cmp "$schema" "$source/spec/schemas/${schema##*/}" || fail "$file names no schema"
    ! command -v xmllint >/dev/null || xmllint --noout --schema "$schema" $file 2>log || fail "$file" log
done

# ---- more processes ----------------------------------------------------------------------------------------------------

run 0 dal add process Count
run 0 dal add process Squares Work.out
run 0 make -s run
expect 'Count: 10 tokens' output
expect 'Squares: 10 tokens' output
if has_device arch.xml; then
    run 0 make -s run-device
    expect 'Squares: 10 tokens' output
fi
run 0 make -s clean
rm -f log
[ "$(LC_ALL=C ls -A | tr '\n' ' ')" = "$(printf '%s ' .gitignore Count.c Makefile Squares.c first.xml map-cores.xml map-device.xml \
    messages output schemas sink.c source.c work.c work.cl)" ] || fail 'clean leaves something' <(ls -A)

# The channel may be written in any way, and what is in comments is none.
run 0 dal new ways
cd ways
sed -i 's|<channel from="Source.out" to="Work.in" type="int"/>|<!-- <channel from="Old.out" to="Gone.in"/> <process name="Extra"/> -->\
  <channel  to="Work.in" size="2 * 8"\
    from='"'Source.out'"' type="int" most="4"/>|' ways.xml
run 0 dal check ways.xml
run 0 dal add process Extra
expect 'Extra reads "Source.out"' output
run 0 dal add process Other Source.out
run 0 dal check ways.xml
grep -qF '<channel from="Source.out" to="Other.in" type="int" most="4"/>' ways.xml || fail 'another channel' ways.xml
cd ..

# ---- what cannot be done -----------------------------------------------------------------------------------------------

# not STATUS TEXT ARGUMENT...: it says this, and changes nothing.
not() {
    cat ./*.xml ./*.c >before
    run "$1" dal "${@:3}"
    expect "$2" messages
    cat ./*.xml ./*.c | cmp - before || fail "dal ${*:3} changes something"
}
not 1 "has a process 'Count' already" add process Count
not 1 "'source.c' is there already" add process source
not 1 'has no <channel> from "Work.none"' add process More Work.none
! grep '"Work.none".' messages >log || fail "the name stands twice" log
not 2 "no port of a process" add process More Work
not 2 "no port of a process" add process More Work.a.b
not 2 "no name of letters" add process 'a b'
not 2 "no name of letters" add process 1a
not 2 'what is there to do?'
not 2 'wants one name' new
not 2 'no name of letters' new ../up
mkdir there
not 1 "'there' is there already" new there
cd there
touch a.xml a.c
not 1 "no folder that 'dal new' has made" add process More
cd ..
cp first.xml kept.xml
for word in newest inplace; do
    sed "0,/<channel /s//<channel $word=\"true\" /" kept.xml >first.xml
    not 1 "says $word=\"true\": nothing else can read" add process More
done
sed '0,/<channel /s//<channel tokenrateout="2" size="1" /' kept.xml >first.xml
not 1 'first.xml:' add process More
! grep 'xml\.new' messages >log || fail 'a file that is gone' log
expect 'nothing was changed' messages
mv kept.xml first.xml
sed -i 's/<channel /<chanel /' first.xml
not 1 'has no <channel> to read from' add process More
sed -i '0,/<chanel /s//<channel /' first.xml
not 1 'nothing was changed' add process More
