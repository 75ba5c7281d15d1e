#!/usr/bin/env bash
# Sources: portable ones with declarations of all sorts, one source for several processes, and
# compile_commands.json, with which an editor compiles them.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp "$input"/*.c .
architecture core device >architecture.xml
mapping "* - core" >core.xml
mapping "* - device" "Source - core" "Sink - core" >device.xml
mappings=core
! "$dalinfo" --architecture | grep OPENCL >/dev/null || mappings="core device"

# Source --> PROCESS... --> Sink, each in a chain; all of them of one source.
chain() { # TYPE LOCATION PROCESS...
    local type=$1 location=$2 before=Source name
    shift 2
    echo '<processnetwork name="chain">
      <process name="Source"><port type="output" name="out"/><source type="c" location="source.c"/></process>
      <process name="Sink"><port type="input" name="in"/><source type="c" location="sink.c"/></process>'
    for name; do
        echo "<process name=\"$name\"><port type=\"input\" name=\"in\"/>
          <port type=\"output\" name=\"out\" blocks=\"4\"/>
          <source type=\"$type\" location=\"$location\" dataparallelism=\"2\"/></process>"
    done
    for name in "$@" Sink; do
        channel "c$name" "$before" out "$name" in 'size="8" tokensize="16"'
        before=$name
    done
    echo '</processnetwork>'
}

# ---- declarations with bodies, in DAL_foreach and elsewhere

cat >bodies.c <<'END_C'
#include "dal.h"
static const struct {
    int add, times[2];
} table[2] = {{1, {2, 3}}, {.add = 4, .times = {5, 6}}}, more = {7, {8, 9}};
struct outer {
    int a, b;
};
int Bodies_fire(DALProcess *p)
{
    DAL_WINDOW const int32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, 1, p);
    DAL_WINDOW int32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);
    struct { int a, b; } before = {1, 2}, after[2] = {{1, 2}, {3, 4}};
    before.a = 3;
    after[1].b = 5;
    DAL_foreach (i : PORT_out) {
        struct { int a, b; } pair = {1, 2}, *self = &pair, both[2] = {{3, 4}, {5, 6}}, last;
        struct tagged { int x; struct { int y; } inner; } tagged;
        union { int i; unsigned u; } word;
        enum { ONE = 1, FOUR = 4 } four = FOUR;
        const enum colour { RED, GREEN = 7 } green = GREEN;
        struct outer plain = {8, 9}, other;
        int row[2] = {1, 2}, sum = 0;
        typedef struct { int t; } typed;
        typed t;
        pair.a = 10;
        self->b = 11;
        both[1].b = 12;
        last = pair;
        last.a++;
        tagged.x = 1;
        tagged.inner.y = 2;
        word.i = 3;
        word.u += 1;
        four = ONE;
        other = plain;
        other.a = 5;
        row[0] = 6;
        t.t = 7;
        for (struct { int i; } s = {0}; s.i < 2; s.i++)
            sum += s.i;
        sum += pair.a + pair.b + both[1].b + last.a + tagged.x + tagged.inner.y + (int)word.u +
               four + green + other.a + other.b + row[0] + row[1] + t.t + before.a + after[1].b +
               table[1].add + table[0].times[1] + more.times[1];
        out[i] = in[i] + sum;
    }
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}
END_C
chain portable bodies.c Bodies >bodies.xml
for mapping in $mappings; do
    synthesise --strict -o bodies bodies.xml architecture.xml $mapping.xml
    bodies/chain >bodies.out
    awk '{ if ($1 != NR - 1 + $2 - 1 || $3 != $2 + 1) exit 1 } END { exit NR != 5 }' bodies.out ||
        fail "declarations with bodies, on a $mapping" bodies.out
    [ "$mapping" = core ] || cmp bodies.out bodies.core || fail "a device has another result" messages
    cp bodies.out bodies.core

    # The same with macros of its options, which have blanks in them.
    sed 's/int row\[2\] = {1, 2}, sum = 0/WORD row[2] = PAIR(1); int sum = 0/' bodies.c >words.c
    chain portable words.c Bodies |
        sed "s/location=\"words.c\"/& cflags=\"'-DWORD=unsigned int' -D 'PAIR(x)={ x, TWO }' -DTWO=2\"/" >words.xml
    synthesise --strict -o words words.xml architecture.xml $mapping.xml
    words/chain >words.out
    cmp words.out bodies.out || fail "options with blanks, on a $mapping" messages

    # The last option counts, and those of the environment stand in front.
    sed '1i #ifdef ALT\n#error ALT\n#endif' words.c >last.c
    sed 's/words\.c/last.c/; s/ -DTWO=2"/ -DALT -UALT"/' words.xml >last.xml
    CPPFLAGS='-DTWO=1 -UTWO -DALT' CFLAGS='-O1 -DTWO=2 -UALT' synthesise --strict -o last last.xml architecture.xml $mapping.xml
    last/chain >last.out
    cmp last.out bodies.out || fail "options of the environment, on a $mapping" messages
done
[ "$(head -1 bodies.out)" = "113 114 115 116" ] || fail "declarations" bodies.out

# What is declared outside is still refused, also where a type in the block has its name.
line=0
while IFS= read -r statement; do
    line=$((line + 1))
    sed "s/^        sum += pair.a.*/        $statement/; /table.1..add/d; /four + green/d" bodies.c >"outside$line.c"
    chain portable "outside$line.c" Bodies >outside.xml
    if "$dalsynth" --check outside.xml architecture.xml core.xml >messages 2>&1; then
        fail "taken: $statement" messages
    fi
    grep -q "outside$line.c:[0-9:]*: error: \[not-portable\]" messages || fail "not refused: $statement" messages
done <<'END'
before.a = 1;
after[0].b = 1;
{ struct before { int a; } x; x.a = 1; before.a = 2; }
{ struct { int a; } x = {.a = before.b++}; x.a = 1; }
END

# ---- functions called after one of the processes, or the file

scale() { # NAME...: a source with functions of these names
    echo '#include "dal.h"'
    for name; do
        echo "int ${name}_fire(DALProcess *p)
{
    int32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, 1, p);
    int32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);
    for (int i = 0; i < 4; i++)
        out[i] = 2 * in[i];
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}"
    done
}

shared() { # what it defines, as words; then the processes
    local names=$1
    shift
    # shellcheck disable=SC2086
    scale $names >scale.c
    chain c scale.c "$@" >shared.xml
    "$dalsynth" -o shared shared.xml architecture.xml core.xml >messages 2>&1
}

for case in "Scale:Scale Up" "Up:Scale Up" "scale:Up Down" "Scale:Up Down" "Up Scale:Scale Up" \
    "Scale helper:Up Down"; do
    # shellcheck disable=SC2086
    shared "${case%:*}" ${case#*:} || fail "$case" messages
    [ "$(shared/chain | tail -1)" = "16 4 8 12" ] || fail "$case: wrong output" messages
done
! shared "Up Down" Up Down Left || fail "two functions for Left" messages
grep -qF "scale.c:1: error: [no-fire] process 'Left'" messages || fail "ambiguous: not told" messages
grep -qF "there is 'Up_fire'" messages || fail "ambiguous: not all told" messages
grep -qF "there is 'Down_fire'" messages || fail "ambiguous: not all told" messages
! shared "Other" Up Down || fail "a function of another name" messages
grep -qF "[no-fire]" messages || fail "a function of another name: not told" messages

# ---- a header called after a process is there under that name, also where several have one source

for header in Up up UP; do
    scale header | sed "s/\"dal.h\"/&\n#include \"$header.h\"/" >header.c
    chain c header.c Up up UP >header.xml
    "$dalsynth" -o header header.xml architecture.xml core.xml >messages 2>&1 || fail "$header.h" messages
    [ "$(header/chain | tail -1)" = "32 8 16 24" ] || fail "$header.h: wrong output" messages
done

# ---- compile_commands.json: every command does, from its folder; users' own sources once each

command -v jq >/dev/null || { echo "all as expected, but jq is not here" && exit 0; }
mkdir -p app/src app/inc
cp source.c sink.c app/src
scale Scale | sed 's/"dal.h"/<dal.h>\n#include <scale.h>/' >app/src/scale.c
echo '/* found */' >app/inc/scale.h
cat >app/src/kernel.cl <<'END_C'
__kernel void K(__global const int *in, __global int *out)
{
    out[4 * get_group_id(0) + get_local_id(0)] = in[get_local_id(0)];
}
END_C
{
    chain c src/scale.c Up Down | sed 's|"source.c"|"src/source.c"|; s|"sink.c"|"src/sink.c"|; s|location="src/scale.c"|& cflags="-Iinc \&apos;-DSAYS=\&quot;a b\&quot;\&apos;"|'
} >app/net.xml
"$dalsynth" -o app/out app/net.xml architecture.xml core.xml >messages 2>&1 || fail "app" messages
jq -r '.[] | [.directory] + .arguments | @sh' app/out/compile_commands.json >commands
while IFS= read -r line; do
    eval "set -- $line"
    folder=$1
    shift
    (cd "$folder" && "$@" -Werror -Wno-maybe-uninitialized -fsyntax-only) >messages 2>&1 || fail "does not compile: $*" messages
done <commands
jq -r '.[].file' app/out/compile_commands.json | sort >files
for file in src/source.c src/sink.c src/scale.c out/Up_unit.c out/Down_unit.c; do
    [ "$(grep -cxF "$(realpath app)/$file" files)" = 1 ] || fail "not one entry for $file" messages
done
jq -e '.[] | select(.file | endswith("scale.c")) | .arguments | index("-DSAYS=\"a b\"")' \
    app/out/compile_commands.json >messages || fail "options of a source are not as a shell parts them" messages
chain opencl src/kernel.cl K | sed 's|"source.c"|"src/source.c"|; s|"sink.c"|"src/sink.c"|' >app/net.xml
"$dalsynth" --emit-only -o app/out app/net.xml architecture.xml device.xml >messages 2>&1 || fail "kernel" messages
! jq -r '.[].file' app/out/compile_commands.json | grep -q 'kernel\.cl' || fail "a kernel is no C" messages

# ---- a kernel that may write to what others read

cat >lone.cl <<'END_CL'
__kernel void Lone(__global int *in, __global int *out)
{
    out[get_group_id(0)] = in[get_group_id(0)];
}
END_CL
mapping "* - core" "Lone - device" >lone-device.xml
for readers in 1 2; do
    {
        echo '<processnetwork name="lone"><process name="Source" source="source.c"/><process name="Lone" source="lone.cl"/>
          <process name="Sink" source="sink.c"/><channel from="Source.out" to="Lone.in" tokensize="4"/>
          <channel from="Lone.out" to="Sink.in" tokensize="4"/>'
        [ $readers = 1 ] || echo '<process name="Other" source="sink.c"/><channel from="Source.out" to="Other.in" tokensize="4"/>'
        echo '</processnetwork>'
    } >lone$readers.xml
    synthesise --check lone$readers.xml architecture.xml lone-device.xml
    said="lone.cl:1:34: warning: \\[kernel-signature\\] process 'Lone', kernel 'Lone': argument 'in' is not const, and other"
    [ "$(grep -c "$said" made)" = $((readers - 1)) ] || fail "$readers readers of what a kernel may write to" made
done

# ---- a kernel that never asks which firing it is: told where a launch has several

sed -i 's/get_group_id(0)/0/g; s/^__kernel/\n&/' lone.cl
said="lone.cl:2: warning: [kernel-firings] process 'Lone', kernel 'Lone': all firings of a launch see the same tokens of port 'in'"
for case in 1:0 4:1 auto:1; do
    copies=${case%:*}
    sed "s/source=\"lone.cl\"/& shadowcopies=\"$copies\"/" lone1.xml >lone.xml
    synthesise --check lone.xml architecture.xml lone-device.xml
    [ "$(grep -cF "$said" made)" = "${case#*:}" ] || fail "$copies copies of a kernel that does not ask for its firing" made
done
sed -i 's/in\[0\]/in[get_global_id(0) \/ get_local_size(0)]/' lone.cl
synthesise --check lone.xml architecture.xml lone-device.xml
! grep 'kernel-firings' made || fail "a kernel that asks for its firing"

# ---- options that lead to dal's own headers

cat >counts.c <<'END_C'
#include "dal.h"
struct _local_states {
    int n;
};
int Counts_fire(DALProcess *p)
{
    if (p->local->n == 3)
        return 1;
    DAL_WRITE_TOKEN(out, &p->local->n, p);
    p->local->n++;
    return 0;
}
END_C
cat >shows.c <<'END_C'
#include "dal.h"
int Shows_fire(DALProcess *p)
{
    int x;
    DAL_READ_TOKEN(in, &x, p);
    DAL_printf("%d\n", x);
    return 0;
}
END_C
counts() { # ATTRIBUTES
    echo "<processnetwork name=\"counts\"><process name=\"Counts\" source=\"counts.c\" $1/><process name=\"Shows\" source=\"shows.c\"/>
      <channel from=\"Counts.out\" to=\"Shows.in\" type=\"int\"/></processnetwork>" >counts.xml
}
counted() { # WHERE [VARIABLE=VALUE]
    env "${@:2}" "$dalsynth" -o counts counts.xml >messages 2>&1 || fail "not built: $1" messages
    run 0 counts/counts
    printf '0\n1\n2\n' | cmp - output || fail "a state is not seen: $1" output
}
mkdir own
cp "$source"/include/*.h own
for variable in C_INCLUDE_PATH CPATH; do
    counts ''
    counted $variable "$variable=$PWD/own"
done
for variable in CPPFLAGS CFLAGS; do
    counted $variable "$variable=-I$PWD/own"
done
counts "cflags=\"-I$PWD/own\""
counted cflags
counts "include=\"$PWD/own\""
counted include
echo "all as expected"
