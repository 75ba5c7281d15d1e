#!/usr/bin/env bash
# Paths that a network within a network says are seen from its own file: of sources and their files, in options and libs, of
# headers of tokens and of initial tokens. So it is from wherever dalsynth runs, and in a program of several networks.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

architecture core_0 >cores.xml
mapping "* - core_0" >map.xml
mkdir -p "net/my parts/inner/headers" "net/my parts/inner/libs" net/headers
cd net/"my parts"/inner
echo '#define FORCED "forced"' >headers/forced.h
echo '#define DEEP "deep"' >headers/deep.h
echo '#define PLAIN "plain"' >headers/plain.h
echo '#define WRONG' | tee ../../headers/{forced,deep,plain}.h >/dev/null # of the same names
printf '#ifndef PAIR_H\n#define PAIR_H\nstruct pair {\n    int a, b;\n};\n#endif\n' >pair.h
echo '-DFLAG=\"flag\"' >flags
echo 'const char *library(void) { return "library"; }' >library.c
"${CC:-cc}" -c -o library.o library.c
ar rc libs/libmine.a library.o
echo 'const char *further(void) { return "further"; }' >further.c
printf '\001\000\000\000\002\000\000\000' >data.bin
cat >part.xml <<'XML'
<processnetwork name="inner">
  <port type="input" name="in"/>
  <port type="output" name="out"/>
  <process name="Show" source="show.c" files="further.c" include="headers" libs="LIBS"
           cflags="-include headers/forced.h -isystem headers @flags '-DSPACE=&quot;a b&quot;'"/>
  <channel from="in" to="Show.in" type="struct pair" header="pair.h"/>
  <channel from="Show.out" to="out" type="struct pair" header="pair.h" initialtokens="1" data="data.bin"/>
</processnetwork>
XML
cat >show.c <<'C'
#include "dal.h"
#include "pair.h"
#include <deep.h>
#include "plain.h"

const char *library(void);
const char *further(void);

int Show_fire(DALProcess *p)
{
    struct pair pair;
    DAL_READ_TOKEN(in, &pair, p);
    DAL_printf("%s %s %s %s %s %s %s %d %d\n", FORCED, DEEP, PLAIN, FLAG, SPACE, library(), further(), pair.a, pair.b);
    DAL_WRITE_TOKEN(out, &pair, p);
    return 1;
}
C
cd ..
cat >around.xml <<'XML'
<processnetwork name="around">
  <port type="input" name="in"/>
  <port type="output" name="out"/>
  <network name="Inner" source="inner/part.xml"/>
  <channel from="in" to="Inner.in"/>
  <channel from="Inner.out" to="out"/>
</processnetwork>
XML
cd ..
cat >loop.c <<'C'
#include "dal.h"
#include "my parts/inner/pair.h"

int Loop_fire(DALProcess *p)
{
    struct pair pair;
    DAL_READ_TOKEN(in, &pair, p);
    DAL_WRITE_TOKEN(out, &pair, p);
    return 0;
}
C
cat >net.xml <<'XML'
<processnetwork name="net">
  <process name="Loop" source="loop.c"/>
  <network name="Part" source="my parts/around.xml"/>
  <channel from="Loop.out" to="Part.in"/>
  <channel from="Part.out" to="Loop.in"/>
</processnetwork>
XML
cd ..
wanted='forced deep plain flag a b library further 1 2'

# With each way to name a library, from the network's folder, from that of the test and from the root
for libs in '-Llibs -lmine' '-L libs -lmine' libs/libmine.a; do
    sed "s|LIBS|$libs|" net/"my parts"/inner/part.xml >net/"my parts"/inner/part.new
    cp net/"my parts"/inner/part.xml part.kept
    mv net/"my parts"/inner/part.new net/"my parts"/inner/part.xml
    for place in net . /; do
        rm -rf out
        (cd $place && "$dalsynth" -o "$work/out" "$(realpath --relative-to=. "$work/net/net.xml")" "$work/cores.xml" "$work/map.xml") \
            >made 2>&1 || fail "libs $libs, in $place" made
        run 0 out/net
        [ "$(cat output)" = "$wanted" ] || fail "libs $libs, in $place" output
    done
    ! grep -q "$work" <(grep -v '^SRCDIR\|^from' out/Makefile) || fail "paths in the Makefile are absolute" out/Makefile
    mv part.kept net/"my parts"/inner/part.xml
done
sed -i 's|LIBS|-Llibs -lmine|' net/"my parts"/inner/part.xml

# A running program names the file of a part as seen from the network's folder.
cp net/"my parts"/inner/show.c show.kept
sed -i 's/return 1;/exit(0);/; s/^#include "dal.h"/&\n#include <stdlib.h>/' net/"my parts"/inner/show.c
for place in net .; do
    (cd $place && "$dalsynth" -o "$work/told" "$(realpath --relative-to=. "$work/net/net.xml")") >made 2>&1 || fail "in $place" made
    run 1 told/net
    expect "process Part.Inner.Show: fire ended the program by exit() while the network runs (my parts/inner/part.xml:4)" messages
    grep -q 'origin = {.file = "net.xml"' told/net.c || fail "the network's own file has another name" told/net.c
done
mv show.kept net/"my parts"/inner/show.c

# The network may go elsewhere with its parts.
cp -r net moved
make -s -C out clean
run 0 make -s -C out SRCDIR="$work/moved"
run 0 out/net
[ "$(cat output)" = "$wanted" ] || fail "with the sources elsewhere" output

# In a program of several networks
cat >fsm.xml <<'XML'
<fsm name="two">
  <application name="a" network="net/net.xml" mapping="map.xml"/>
  <application name="b" network="moved/net.xml" mapping="map.xml"/>
  <state name="both" initial="true"><running application="a"/><running application="b"/></state>
</fsm>
XML
synthesise --fsm -o two fsm.xml cores.xml
run 0 two/two
[ "$(sort -u output)" = "$wanted" ] && [ "$(wc -l <output)" = 2 ] || fail "in a program of two networks" output

# What is not there is told as seen from here.
rm net/"my parts"/inner/data.bin
refuse "'net/my parts/inner/data.bin'" net/net.xml cores.xml map.xml
rm -r net/"my parts"/inner/headers net/"my parts"/inner/pair.h
refuse "include folder 'net/my parts/inner/headers'" net/net.xml cores.xml map.xml
expect "header 'net/my parts/inner/pair.h'" messages
echo "part_paths: of parts, from three places and in two programs"
