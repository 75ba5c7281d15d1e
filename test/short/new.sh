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

# ---- what a program is made of -----------------------------------------------------------------------------------------

# A change of any of these makes it again: a part and what that has, as a header in a folder, numbers of a file, C++.
run 0 dal new all
cd all
mkdir -p lib/deep
cpp=cxx
command -v "${CXX:-c++}" >log || cpp=c
sed 's|"dal.h"|&\n#include "deep/more.h"|; s/\*in \* \*in/& + MORE + *DAL_CONSTANT(few, p)/
    s/\(const int \*\)in = DAL_READ/\1in = (\1)DAL_READ/; s/\(int \*\)out = DAL_WRITE/\1out = (\1)DAL_WRITE/' work.c >lib/work.$cpp
cat >lib/part.xml <<END
<processnetwork name="part">
  <port type="input" name="in" tokentype="int"/>
  <port type="output" name="out" tokentype="int"/>
  <process name="Work" source="work.$cpp"><constant name="few" type="int[1]" file="few.raw"/></process>
  <channel from="in" to="Work.in"/>
  <channel from="Work.out" to="out"/>
</processnetwork>
END
echo '#define MORE 0' >lib/deep/more.h
printf '\0\0\0\0' >lib/few.raw
sed -i 's|<process name="Work".*|<network name="Work" source="lib/part.xml"/>|' all.xml
run 0 make -s run
[ "$(tr '\n' ' ' <output)" = '1 4 9 16 25 36 49 64 81 100 ' ] || fail 'other numbers by a part' output messages
for file in all.xml map-cores.xml source.c lib/part.xml lib/work.$cpp lib/deep/more.h lib/few.raw; do
    run 0 make -q
    touch -d '+1 minute' $file
    run 1 make -q
    touch -d '-1 minute' $file
done
echo '#define MORE 1' >lib/deep/more.h
run 0 make -s run
[ "$(head -n 2 output | tr '\n' ' ')" = '2 5 ' ] || fail 'a header has changed, and the program has not' output messages
run 0 make -q
rm lib/deep/more.h
sed -i '/more.h/d; s/+ MORE//' lib/work.$cpp
run 0 make -s run
[ "$(head -n 2 output | tr '\n' ' ')" = '1 4 ' ] || fail 'a header is gone, and the program is as it was' output messages
cd ..
rm -r all

# The program of such a network has another name, since the Makefile of dal build has a target or a file of that one.
for name in clean always makefile; do
    run 0 dal new $name
    run 0 make -s -C $name run
    [ -x $name/cores/network_$name ] || fail "$name: another program"
    rm -r $name
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

# A link stays one, and a file has the mode that it had. Where one file cannot be replaced, neither is.
run 0 dal new linked
cd linked
mkdir far
mv linked.xml far
ln -s far/linked.xml linked.xml
chmod 600 far/linked.xml
chmod 664 map-device.xml
printf '#!/bin/sh\nfor last; do :; done\n[ "${last##*/}" != map-device.xml ] || exit 1\nexec %s "$@"\n' "$(command -v mv)" >far/mv
chmod +x far/mv
cat linked.xml map-device.xml >before
PATH=$PWD/far:$PATH run 1 dal add process Count
expect 'linked.xml and map-device.xml are as they were' messages
cat linked.xml map-device.xml | cmp - before || fail 'half of a process was added' linked.xml
[ ! -e Count.c ] || fail 'its source is there'
run 0 dal add process Count
expect '"Count.in"' far/linked.xml
expect '"Count"' map-device.xml
[ -L linked.xml ] || fail 'a link is a file'
[ "$(stat -c %a far/linked.xml map-device.xml | tr '\n' ' ')" = '600 664 ' ] || fail 'other modes' <(ls -l . far)
[ "$(LC_ALL=C ls far | tr '\n' ' ')" = 'linked.xml mv ' ] && ! ls -- *.new *.next *.old 2>/dev/null || fail 'something is left' <(ls . far)
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
