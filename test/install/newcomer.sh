#!/usr/bin/env bash
# What goes wrong in the first hour: of each mistake in a network of `dal new`, the message names the file, the line and what
# was meant, and the exit status is 1. Then a computer that lacks something, and folders that are not as usual.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

PATH=$build/tools:$build/synth:$PATH
unset MAKEFLAGS MAKELEVEL MFLAGS # of the make that runs the tests

run 0 dal new first
cd first
cat >arch.xml <<'END'
<architecture name="one">
  <processor name="core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>
</architecture>
END
cp -r . ../right

# ---- mistakes in files --------------------------------------------------------------------------------------------------

# FILE|what sed does to it|the mapping|how a line of the message begins. No sed: the file is missing.
mistakes() {
    cat <<'END'
first.xml|s/source="work/sorce="work/|cores|first.xml:8: error: [xml-schema] element 'process', attribute 'sorce': The attribute 'sorce' is not allowed; did you mean 'source'?
first.xml|s/name="Work"/nmae="Work"/|cores|first.xml:8: error: [xml-schema] element 'process', attribute 'nmae': The attribute 'nmae' is not allowed; did you mean 'name'?
first.xml|s/source="work.c work.cl"/& flags.c=""/|cores|first.xml:8: error: [xml-schema] element 'process', attribute 'flags.c': The attribute 'flags.c' is not allowed; did you mean 'cflags.c'?
first.xml|s/from="Source.out"/& rate="2"/|cores|first.xml:10: error: [xml-schema] element 'channel', attribute 'rate': The attribute 'rate' is not allowed
first.xml|s/<channel from="Work/<chanel from="Work/|cores|first.xml:11: error: [xml-schema] element 'chanel': This element is not expected; did you mean 'channel'?
map-cores.xml|s/processnetwork=/processnetwrok=/|cores|map-cores.xml:4: error: [xml-schema] element 'mapping', attribute 'processnetwrok': The attribute 'processnetwrok' is not allowed; did you mean 'processnetwork'?
first.xml|s/to="Work.in"/to="Wrok.in"/|cores|first.xml:10: error: [unknown-process] channel: to="Wrok.in": there is no process 'Wrok'; did you mean 'Work'?
first.xml|s/type="int"/type="itn"/|cores|first.xml:10: error: [token-type] sw_channel 'Source.out-Work.in': type 'itn' is none that is known
first.xml||cores|first.xml: error: [file] cannot read this file: No such file or directory
work.c||cores|first.xml:8: error: [missing-source-file] source of process 'Work': 'work.c': No such file or directory
map-cores.xml|s/core_0/core0/|cores|map-cores.xml:5: error: [unknown-processor] binding 'all': the architecture has no processor 'core0'; did you mean 'core_0'?
map-cores.xml|/binding/d|cores|map-cores.xml:4: error: [unbound-process] mapping 'cores' binds process 'Work' to no processor
map-cores.xml||device|arch.xml:1: note: it has no device; dalinfo tells which this machine has
work.c|s/TOKENS(int, out/TOKENS(int, result/|cores|work.c:7:16: error: [source-build] 'PORT_result' undeclared
work.c|s/PORT_out/PORT_result/|cores|work.c:12:19: error: [source-build] 'PORT_result' undeclared
work.c|s/TOKENS(int, in/TOKENS(double, in/|cores|work.c:6:21: error: [source-build] static assertion failed: "a token of port in has 4 bytes, this type not"
work.c|s/TOKENS(int, in/TOKENS(double, in/|cores|first.xml:10: note: the channel of port 'in' is here
work.c|s/TOKENS(int, out/TOKENS(char, out/|cores|first.xml:11: note: the channel of port 'out' is here
work.c|s/TOKENS(int, out/TOKENS(char, out/|cores|work.c:7:16: note: this type has 1 byte
first.xml|s/source="sink.c"/& cflags="-O2 -nosuch"/|cores|first.xml:9: error: [source-build] unrecognized command-line option '-nosuch'
first.xml|s/source="sink.c"/& libs="-lm -lnosuch"/|cores|first.xml:9: error: [source-build] cannot find -lnosuch
first.xml|s/source="sink.c"/& cflags="'-no such'"/|cores|first.xml:9: error: [source-build] unrecognized command-line option '-no such'
first.xml|s/source="sink.c"/& libs="-lm '-lno such'"/|cores|first.xml:9: error: [source-build] cannot find -lno such
first.xml|s/source="sink.c"/& cflags="-O2 such"/|cores|first.xml:9: error: [source-build] such: linker input file not found
first.xml|s/source="work.c work.cl"/& cflags="-march=nosuch"/|cores|first.xml:8: note: its cflags have -march=nosuch: libclang, which reads it, ends at a processor that it does not know
first.xml|s/source="sink.c"/& cflags="-falign-functions=nosuch"/|cores|first.xml:9: error: [source-build] source 'sink.c' does not compile
END
}

restore() {
    rm -rf ./*
    cp -r ../right/. .
}

while IFS='|' read -r file edit mapping message; do
    if [ -z "$edit" ]; then rm "$file"; else sed -i "$edit" "$file"; fi
    ! cmp -s "$file" "../right/$file" || fail "nothing is wrong in $file: $edit"
    run 1 dalsynth -o made first.xml arch.xml "map-$mapping.xml"
    awk -v want="${message//\\/\\\\}" 'index($0, want) == 1 { found = 1 } END { exit !found }' messages ||
        fail "no message that begins: $message" messages
    ! grep -E 'dal\.h:|_Generic|stands above' messages || fail "$edit: words of a macro, of dal.h or of make" messages
    [ ! -e made ] || fail "$edit: something is written"
    restore
done < <(mistakes)

# One name that is wrong is one message for each place.
sed -i 's/TOKENS(int, out/TOKENS(int, result/' work.c
run 1 dalsynth -o made first.xml arch.xml map-cores.xml
[ "$(grep -c error: messages)" = 1 ] || fail 'one mistake, several errors' messages
restore

# A constant of blocks that is not there has its reason beside it.
sed -i 's/from="Source.out"/& tokenratein="4" blocks="3"/' first.xml
sed -i 's/return 1;/return BLOCK_out_SIZE;/' source.c
run 1 dalsynth -o made first.xml arch.xml map-cores.xml
expect "source.c:17:16: error: [source-build] 'BLOCK_out_SIZE' undeclared" messages
expect "first.xml:10: note: the blocks of port 'out' do not divide its rate: no block has a size" messages
restore

# More bytes than the variable has: the compiler may warn, once, of the call.
sed -i 's/DAL_READ_TOKEN(in, &number, p)/DAL_read(PORT_in, \&number, 8, p)/' sink.c
run 0 dalsynth -o made first.xml arch.xml map-cores.xml
! grep 'dal\.h:' messages || fail 'a place in dal.h' messages
[ "$(grep -c 'sink.c:8:5: warning: ' messages)" -le 1 ] || fail 'one mistake, several warnings' messages
run 1 made/first
expect 'process Sink: DAL_read asks for 8 bytes of port in, but a firing has 4' messages
restore

# A parameter without a type is read as a whole.
run 0 dalsynth -o made first.xml arch.xml map-cores.xml
for value in ' 2' '2 ' '' 2.5; do
    run 1 made/first -p "Source.count=$value"
    expect "parameter count is \"$value\", not an integer" messages
done
restore

# ---- a computer that lacks something --------------------------------------------------------------------------------------

# lacks NAME PACKAGE: with a PATH of all that a build runs, but this.
lacks() {
    mkdir bin
    for tool in cc make pkg-config; do
        [ $tool = "$1" ] || ln -s "$(command -v $tool)" bin/$tool
    done
    PATH=$work/first/bin run 1 "$dalsynth" -o made first.xml arch.xml map-cores.xml
    expect "first.xml: error: [no-tool] the program that is made of this network cannot be built: '$1' is not there. Install it \
(Debian package: $2)" messages
    [ ! -e made ] || fail "without $1 something is written"
    PATH=$work/first/bin run 0 "$dalsynth" --emit-only -o made first.xml arch.xml map-cores.xml
    rm -rf bin made
}
unset DAL_LIBS
(
    unset CC
    lacks cc gcc
)
lacks make make
lacks pkg-config pkgconf
CC='no-such-compiler -O' run 1 dalsynth -o made first.xml arch.xml map-cores.xml
expect "'no-such-compiler' is not there" messages

# ---- folders and surroundings -----------------------------------------------------------------------------------------------

# Nobody may write here, root neither.
unprivileged=()
[ "$(id -u)" != 0 ] || unprivileged=(setpriv --bounding-set=-all --inh-caps=-all)
if "${unprivileged[@]}" true 2>/dev/null; then
    for name in output messages; do : >$name; done # these are written all the same
    chmod a-w first.xml map-device.xml # the folder is what is written
    run 0 "${unprivileged[@]}" dal add process More
    expect '"More.in"' first.xml
    expect '"More"' map-device.xml
    [ "$(stat -c %a first.xml map-device.xml | tr '\n' ' ')" = '444 444 ' ] || fail 'other modes' <(ls -l)
    ! ls -- *.new *.next *.old 2>/dev/null || fail 'something is left'
    rm More.c
    cp -f ../right/{first,map-device}.xml .
    chmod a-w .
    run 1 "${unprivileged[@]}" dalsynth -o made first.xml arch.xml map-cores.xml
    expect 'made: error: [output-directory] cannot make a folder beside it: Permission denied' messages
    run 1 "${unprivileged[@]}" dal add process More
    expect 'dal: nothing can be written in this folder, ' messages
    run 1 "${unprivileged[@]}" dal new second
    expect "dal: 'second' cannot be made" messages
    chmod u+w .
fi

# A folder with spaces and more, and nobody's home.
cd ..
mkdir "it's a \$(folder) #1 %"
mv first "it's a \$(folder) #1 %/"
cd "it's a \$(folder) #1 %/first"
run 0 env -u HOME -u USER -u XDG_CACHE_HOME DAL_KERNEL_CACHE= make -s run
[ "$(tail -n 1 output)" = 100 ] || fail 'other numbers in a folder with spaces' output messages
