#!/usr/bin/env bash
# Sources in C++, sources of several files, include folders and packages of pkg-config.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

command -v "${CXX:-c++}" >/dev/null || skip "there is no C++ compiler (CXX, c++)"
cp -r "$input" net
chmod -R u+w net
cd net
"$dalinfo" --architecture -o arch.xml >/dev/null
expected='3 105 207 309 411 513 615 717 819 1921'

# Two classes of one name stay apart, and so do functions of other files.
synthesise -o program net.xml arch.xml map.xml
run 0 program/cxx
[ "$(tr '\n' ' ' <output)" = "$expected " ] || fail "other numbers" output
expect '"c++", "-std=gnu++17"' program/compile_commands.json
expect 'more/table.cpp"' program/compile_commands.json

# A program that is built again sees what has changed in another file, and nothing is left behind by clean.
sed -i 's/1000/2000/' more/table.cpp
make -s -C program
run 0 program/cxx
expect 2921 output
make -s -C program clean
[ -z "$(find program -name '*.o' -o -name '*.joined' -o -name '*.d')" ] || fail "clean leaves objects" <(ls program)

# broken FILE SED-SCRIPT TEXT: an error in the user's file, with its line.
broken() {
    cp "$1" kept
    sed -i "$2" "$1"
    refuse "$3" net.xml arch.xml map.xml
    cp kept "$1"
}
broken Twice.cc 's/    int value;/    integer value;/' 'Twice.cc:21:5: error:'
broken Twice.cc 's/    int value;/    short value;/' 'Twice.cc:22:9: error: [source-build] static assertion failed: a token of port in has 4 bytes, this type not'
expect "net.xml:23: note: the channel of port 'in' is here" messages
expect 'Twice.cc:22:9: note: this type has 2 bytes' messages
! grep 'dal\.h:' messages || fail 'words of a macro' messages
broken more/table.cpp 's/thousands.end()/thousands.ende()/' 'more/table.cpp:9:'
broken more/helper.c 's/return value/return valeu/' 'more/helper.c:6:'
broken more/table.cpp 's/== 4/== 5/' 'the constants of the ports are those of the network'
broken Twice.cc 's/    Filter \*filter;/    Filter filter;/' 'Twice.cc: error: [source-build] static assertion failed: struct _local_states is zeroed memory'
broken Count.cpp 's/PORT_out/(char *)"exit"/' 'process Count has no port of this name'
broken Count.cpp 's/Count_fire/Count_fires/' "defines no function 'int Count_fire(DALProcess *p)'"
broken net.xml 's/ include="inc"//' 'Count.cpp:3:10: error: '
broken net.xml 's/type="c++" location="Twice.cc"/type="portable" location="Twice.cc"/' \
    "net.xml:13: error: [source-file] source 'Twice.cc': only a source in C or C++ can have more files"
broken net.xml 's/helper.c"/helper.f"/' "net.xml:13: error: [source-file] file 'more/helper.f': its name must end in .c"
broken net.xml 's/helper.c"/helpless.c"/' "net.xml:13: error: [missing-source-file] 'more/helpless.c': No such file"
CXX=/no/such/compiler broken net.xml 's/^//' "net.xml:5: error: [no-cxx] source 'Count.cpp' is C++, and its compiler"

# A time is of all files of a source.
synthesise --profile=1 --times=times.json -o program net.xml arch.xml map.xml
run 0 "$dalsynth" --check --times=times.json net.xml arch.xml map.xml
! grep -q stale-times messages || fail "times are stale from the beginning" messages
echo '/* another */' >>more/helper.c
run 0 "$dalsynth" --check --times=times.json net.xml arch.xml map.xml
expect stale-times messages

# ---- packages --------------------------------------------------------------------------------------------------------

command -v "${PKG_CONFIG:-pkg-config}" >/dev/null || skip "there is no pkg-config"
mkdir -p found/lib pc
echo '#define HALF(x) ((x) / 2)' >found/half.h
echo 'int third(int x) { return x / 3; }' >third.c
"${CC:-cc}" -c third.c -o third.o && ar rc found/lib/libthird.a third.o
printf 'prefix=%s\nName: half\nDescription: x\nVersion: 1\nCflags: -I${prefix}/found\n' "$PWD" >pc/half.pc
printf 'prefix=%s\nName: third\nDescription: x\nVersion: 1\nLibs: -L${prefix}/found/lib -lthird\n' "$PWD" >pc/third.pc
export PKG_CONFIG_PATH=$PWD/pc
sed -i 's/type="c" location="Print.c"/& pkgs="half third"/' net.xml
sed -i 's/^void helper.*/&\n#include <half.h>\nint third(int);/; s/helper(value);$/helper(HALF(third(value)));/' Print.c
sed -i 's/^void helper(HALF(third(int value)));/void helper(int value);/' Print.c
synthesise -o program net.xml arch.xml map.xml
run 0 program/cxx
[ "$(head -n 2 output | tr '\n' ' ')" = '0 17 ' ] || fail "other numbers with packages" output
broken net.xml 's/half third/half fourth/' "net.xml:19: error: [packages] source 'Print.c': pkgs=\"half fourth\": "
expect fourth messages
broken net.xml 's/half third/--version/' 'this must be names of packages, parted by spaces'
PKG_CONFIG=/no/such/program broken net.xml 's/^//' "'/no/such/program' cannot be run; install pkg-config"
run 0 env PKG_CONFIG=/no/such/program "$dalsynth" --analyze net.xml

