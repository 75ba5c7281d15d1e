#!/usr/bin/env bash
# Every kind of process, as C and as C++, with whatever flags, standards and compilers its users have: warnings and errors
# are about their sources and not about our headers and units; options that change what a unit is are right or refused.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp "$input"/kinds/* .
architecture core core_2 >architecture.xml
mapping '* - core' 'Tokens - core*' 'Team - core threads="2"' >mapping.xml
sed 's/\.c"/.cpp"/' kinds.xml >cxx.xml
for file in *.c; do cp "$file" "${file%.c}.cpp"; done

# Of every third number Find makes an empty packet, and Sum 0 of that.
seq 0 59 | awk '{ printf "%d ", $1 % 3 ? $1 : 0 }' >numbers

# made NETWORK: what a program prints, in `output`; its units are in `program`
made() {
    synthesise -o program "$1" architecture.xml mapping.xml
    run 0 program/kinds
    cmp output numbers || fail "$1: other numbers"
}

# strict COMPILER ENDING OPTION...: nothing is said of any unit
strict() {
    local unit
    for unit in program/*_unit."$2"; do
        "$1" "${@:3}" -fopenmp -Wall -Wextra -Wpedantic -Werror -pedantic-errors -Wconversion -Wshadow -fsyntax-only \
            -I"$source/include" -iquote . -iquote program "$unit" >messages 2>&1 || fail "$1 ${*:3}: $unit" messages
    done
}

made kinds.xml
cc=${CC:-cc}
for compiler in "${cc%% *}" clang; do
    command -v "$compiler" >/dev/null || continue
    strict "$compiler" c -std=c11 -Wstrict-prototypes -Wc++-compat
    strict "$compiler" c -std=c2x -Wsign-conversion -Wredundant-decls
done
cxx=${CXX:-c++}
if command -v "${cxx%% *}" >/dev/null; then
    made cxx.xml
    for compiler in "${cxx%% *}" clang++; do
        command -v "$compiler" >/dev/null || continue
        strict "$compiler" cc -std=c++17 -Wmissing-declarations
        strict "$compiler" cc -std=c++20 -Wsign-conversion
    done
fi

# one NETWORK ENDING CFLAGS [LIBS]: two processes with these options
one() {
    cat <<END_XML
<processnetwork name="one">
  <process name="Source" source="source.$1" cflags="$2"${3:+ libs="$3"}/>
  <process name="Sink" source="sink.$1" cflags="$2"/>
  <channel from="Source.out" to="Sink.in" tokensize="4"/>
</processnetwork>
END_XML
}
mapping '* - core' >mapping.xml
seq -s ' ' 0 59 | sed 's/$/ /' | tr -d '\n' >expected

# right ENDING CFLAGS: the bytes are as without
right() {
    one "$@" >one.xml
    synthesise -o program one.xml architecture.xml mapping.xml
    run 0 program/one
    cmp output expected || fail "other bytes with $2"
}
options=("-O2 -flto" "-flto -ffat-lto-objects" "-fno-pic" "-fPIC -fvisibility=hidden -fcommon -funsigned-char -fshort-enums -Ofast")
for option in "${options[@]}"; do right c "$option"; done
command -v "${cxx%% *}" >/dev/null && right cpp "-flto -fno-pie"
if command -v clang >/dev/null; then
    for option in "${options[@]}"; do CC=clang right c "$option"; done
fi

# Whoever is refused is told why; What only looks like it is taken.
for option in -m32 -m16 -fpack-struct -fpack-struct=2 -mabi=ms -fwhole-program -S -E -M -fsyntax-only --target=aarch64; do
    one c "-O2 $option" >one.xml
    refuse "one.xml:2: error: [unfit-option] source 'source.c': option $option: " one.xml architecture.xml mapping.xml
done
right c "-Dm32 -DS=-S"

# ---- names that two sources have ---------------------------------------------------------------------------------------

# Each source has its own `count` and `weak()`, whatever sort of symbol they are; those of several files share theirs.
counting() { # NAME WEIGHT WORDS-IN-FRONT
    cat <<END_C
#include "dal.h"
$3 int count;
__attribute__((weak)) int weak(void) { return $2; }
int more(void);
int $1_fire(DALProcess *p)
{
    int x = 0;
$([ "$1" = A ] || echo 'DAL_read((void *)PORT_in, &x, 4, p);')
    count += weak();
    x += 1000 * more();
$([ "$1" = A ] && echo 'DAL_write((void *)PORT_out, &x, 4, p); return count == 5;' ||
        echo 'DAL_printf("%d ", x); return 0;')
}
END_C
    [ "$3" ] || echo 'int count; int more(void) { return count; }' >"$1_more.c"
    [ -z "$3" ] || echo 'int more(void) { return count; }'
}
counted() { # ENDING CFLAGS [files]
    local a='' b=''
    [ -z "${3:-}" ] || a='files="A_more.c"' b='files="B_more.c"'
    cat >counted.xml <<END_XML
<processnetwork name="counted">
  <process name="A" source="A.$1" cflags="$2" $a/>
  <process name="B" source="B.$1" cflags="$2" $b/>
  <channel from="A.out" to="B.in" tokensize="4"/>
</processnetwork>
END_XML
    synthesise -o program counted.xml architecture.xml mapping.xml
    run 0 program/counted
    [ "$(cat output)" = '101000 202000 303000 404000 505000 ' ] || fail "names are shared: $*" output
}
counting A 1 '' >A.c
counting B 100 '' >B.c
counted c -fcommon files
for words in static volatile; do # volatile: nothing that matters, and a common symbol
    counting A 1 $words >A.c
    counting B 100 $words >B.c
    counted c -fcommon
done
if command -v "${cxx%% *}" >/dev/null; then
    counting A 1 inline >A.cpp
    counting B 100 inline >B.cpp
    counted cpp -O2
fi

# Names of libraries are those of the program: two sources with one each are told. Weak ones of C++ may be in both.
for name in one two; do
    mkdir $name
    echo "int scale(int x) { return x; } int only_$name; __attribute__((weak)) int _Z4weak;" >scale.c
    "${cc%% *}" -c scale.c -o scale.o && ar rc $name/libscale.a scale.o
    echo "__attribute__((weak)) int _Z4weak;" >scale.c
    "${cc%% *}" -c scale.c -o $name/weak.o
    echo "__attribute__((weak)) int scale(int x) { return x; }" >scale.c
    "${cc%% *}" -c scale.c -o $name/soft.o
done
# Of a folder with both, the linker takes the shared library: its names count, and those of the archive do not.
echo "int scale(int x) { return x; }" >scale.c
mkdir shared archived
"${cc%% *}" -shared -fPIC -o shared/libscale.so scale.c
"${cc%% *}" -shared -fPIC -o archived/libscale.so one/weak.o
ar rc shared/libscale.a one/weak.o
cp two/libscale.a archived
libraries() { # LIBS OF A, OF B
    sed -i "s|source=\"A[^/]*/|source=\"A.c\" libs=\"$1\"/|; s|source=\"B[^/]*/|source=\"B.c\" libs=\"$2\"/|" counted.xml
    run 0 "$dalsynth" --emit-only -o program counted.xml architecture.xml mapping.xml
}
counted c -O2
seventy=''
for i in $(seq 70); do
    echo "int only_$i;" >only.c
    "${cc%% *}" -c only.c -o only.o && ar rc "only_$i.a" only.o
    seventy+="only_$i.a "
done
for two in two/libscale.a '-Ltwo -lscale' '-lm -L two -lscale' '-Lshared -lscale' '-Ltwo -l:libscale.a' \
    '-Xlinker -Ltwo -lscale' two/soft.o "$seventy two/libscale.a"; do
    sed -i 's| libs="[^"]*"||' counted.xml
    libraries one/libscale.a "$two"
    expect "counted.xml:3: warning: [same-names] source 'B.c': library '${two##* }' defines 'scale', and so does 'one/libscale.a' of source 'A.c'" messages
done
for both in one/libscale.a,one/../one/libscale.a one/libscale.a,none/libscale.a 'one/libscale.a,-Larchived -lscale' \
    one/weak.o,two/weak.o one/libscale.a,-lm 'one/libscale.a two/libscale.a,one/libscale.a two/libscale.a' \
    'one/libscale.a,-Wl,-Map,two/libscale.a'; do
    sed -i 's| libs="[^"]*"||' counted.xml
    libraries "${both%%,*}" "${both#*,}"
    [ ! -s messages ] || fail "a warning of $both" messages
done
# The first library of a source is the one that it would get alone: a second source with another one is told.
for both in 'one/libscale.a two/libscale.a|two/libscale.a' '-Lone -l:libscale.a|-Ltwo -l:libscale.a' \
    'one/libscale.a|-l:two/libscale.a -L.' 'one/libscale.a|-lscale -Ltwo' 'one/libscale.a|-Wl,-Ltwo,-lscale' \
    'one/soft.o|two/soft.o' 'one/libscale.a two/libscale.a|two/libscale.a one/libscale.a'; do
    sed -i 's| libs="[^"]*"||' counted.xml
    libraries "${both%|*}" "${both#*|}"
    [ "$(grep -cF "[same-names] source 'B.c': library '" messages)" = 1 ] || fail "not told once: $both" messages
    expect "' defines 'scale', and so does '" messages
done
# The libraries of a part lie beside it.
mkdir part
cp -r one two part
for name in A B; do
    printf '#include "dal.h"\nint %s_fire(DALProcess *p)\n{\n    return p == 0;\n}\n' $name >part/${name,}.c
done
cat >part/part.xml <<'END_XML'
<processnetwork name="part">
  <port type="output" name="out" tokentype="int"/>
  <process name="A" source="a.c" libs="one/libscale.a"/>
  <process name="B" source="b.c" libs="-Ltwo -lscale"/>
  <channel from="A.o" to="B.i" type="int"/>
  <channel from="B.o" to="out"/>
</processnetwork>
END_XML
cat >whole.xml <<'END_XML'
<processnetwork name="whole">
  <port type="output" name="y" tokentype="int"/>
  <network name="Part" source="part/part.xml"/>
  <channel from="Part.out" to="y"/>
</processnetwork>
END_XML
run 0 "$dalsynth" --emit-only -o whole whole.xml
expect "part.xml:4: warning: [same-names] source 'b.c': library '-lscale' defines 'scale', and so does 'part/one/libscale.a' of source 'a.c'" \
    messages
