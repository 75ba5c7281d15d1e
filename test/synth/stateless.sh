#!/usr/bin/env bash
# Statelessness is found: sources of input/stateless/good have shadow copies on two cores though the network says nothing. Those of
# stateless/doubt and stateless/writes have none, and it is said why; their first line has that. A network that calls one of
# stateless/writes stateless is refused by the line and the variable in its first line.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cases=$input/stateless
cp "$input"/source.c "$input"/sink.c "$cases"/*/*.[ch] .
architecture core_0 core_1 >architecture.xml
mapping "* - core_*" >mapping.xml
names() { # FOLDER
    (cd "$cases/$1" && printf '%s\n' *.c | sed 's/\.c$//')
}

# chain ATTRIBUTES PROCESS...: one behind the other, between Source and Sink.
chain() {
    local attributes=$1 before=Source name
    shift
    echo '<processnetwork name="chain">
      <process name="Source"><port type="output" name="out"/><source type="c" location="source.c"/></process>
      <process name="Sink"><port type="input" name="in"/><source type="c" location="sink.c"/></process>'
    for name; do
        echo "<process name=\"$name\" $attributes><port type=\"input\" name=\"in\"/><port type=\"output\" name=\"out\"/>
          <source type=\"c\" location=\"$name.c\"/></process>"
    done
    for name in "$@" Sink; do
        channel "from$before" "$before" out "$name" in
        before=$name
    done
    echo '</processnetwork>'
}

# explained FILE ATTRIBUTES PROCESS...: FILE has what dalsynth explains.
explained() {
    local file=$1
    shift
    chain "$@" >network.xml
    "$dalsynth" --explain --emit-only -o out network.xml architecture.xml mapping.xml >"$file" 2>messages ||
        fail "not synthesised" messages
}

row() { # FILE PROCESS
    grep "^$2  *core_0,core_1 " "$1" || fail "no row of $2" "$1"
}

mapfile -t good < <(names good)
mapfile -t doubt < <(names doubt)
mapfile -t writes < <(names writes)
count=0

explained unsaid '' "${good[@]}" "${doubt[@]}" "${writes[@]}"
for name in "${good[@]}"; do
    row unsaid "$name" | grep 'S: its source keeps nothing, on 2 cores' >/dev/null || fail "$name is not found" <(row unsaid "$name")
    count=$((count + 1))
done
for name in "${doubt[@]}"; do
    words=$(sed -n '1s|/\* \(.*\) \*/|\1|p' "$name.c")
    [[ $words != [0-9]* ]] || words="$name.c:$words"
    row unsaid "$name" | grep -F "one firing at a time: $words" >/dev/null || fail "$name is not in doubt: $words" <(row unsaid "$name")
    count=$((count + 1))
done
for name in "${writes[@]}"; do
    row unsaid "$name" | grep -F "one firing at a time: $name.c:" >/dev/null || fail "$name is not in doubt" <(row unsaid "$name")
done

# What is said goes above what is found, where that is no contradiction.
explained no 'stateless="false"' "${good[@]}"
! grep '^[a-z]* *core_0,core_1 ' no | grep -E 'S: |one firing' || fail "copies that the network does not want"
explained yes 'stateless="true"' "${good[@]}" returns reads thread prints other
for name in "${good[@]}" returns reads thread prints other; do
    row yes "$name" | grep 'S: stateless, on 2 cores' >/dev/null || fail "$name has no copies" <(row yes "$name")
done
for name in "${writes[@]}"; do
    read -r _ line variable _ <"$name.c"
    chain 'stateless="true"' "$name" >network.xml
    mapping "* - core_0" >one.xml
    refuse "error: [not-stateless] process '$name' is said to be stateless, but its firings write variable '$variable'" \
        network.xml architecture.xml one.xml
    expect "$name.c:$line:" messages
    count=$((count + 1))
done

for keeps in random:6:rand calendar:9:localtime; do
    IFS=: read -r name line called <<<"$keeps"
    chain 'stateless="true"' "$name" >network.xml
    refuse "error: [not-stateless] process '$name' is said to be stateless, but its firings call '$called', which keeps something" \
        network.xml architecture.xml one.xml
    expect "$name.c:$line:" messages
done

# A state that fire writes is a contradiction. One that it only reads has one firing at a time, in predictions and trials, too.
for how in '' '++'; do
    sed -e 's/^int plain_fire/struct _local_states { int n; };\nint state_fire/' -e "s/^    DAL_write/    x += p->local->n$how;\n&/" \
        plain.c >state.c
    chain 'stateless="true"' state >network.xml
    if [ -n "$how" ]; then
        refuse "error: [not-stateless] process 'state' is said to be stateless, but its firings write p->local" \
            network.xml architecture.xml mapping.xml
    else
        "$dalsynth" --explain --emit-only -o out network.xml architecture.xml mapping.xml >state 2>&1 || fail "no state" state
        row state state | grep 'one firing at a time: state.c has a state at p->local' >/dev/null || fail "no reason" state
        echo '{"Source": 100, "Sink": 100, "state": 10000}' >times.json
        "$dalsynth" --check --explain --times=times.json --advice network.xml architecture.xml mapping.xml >state 2>&1
        expect 'none of them helps; state has to take less time' state
    fi
done
cp "$cases/writes/counter.c" counter.cc
chain 'stateless="true"' counter | sed 's/type="c" location="counter.c"/type="c++" location="counter.cc"/' >network.xml
refuse "error: [not-stateless] process 'counter' is said to be stateless, but its firings write variable" \
    network.xml architecture.xml one.xml

# A channel to itself limits firings at once, and it is said.
chain '' plain | sed -e '/process name="plain"/s|<port|<port type="input" name="before"/><port type="output" name="after"/>&|' \
    -e "s|</processnetwork>|$(channel self plain after plain before 'initialtokens="1"' | tr -d '\n')&|" >network.xml
"$dalsynth" --explain --emit-only -o out network.xml architecture.xml mapping.xml >self 2>&1 || fail "no loop" self
row self plain | grep 'one firing at a time: a channel to itself' >/dev/null || fail "no reason for one" self

# A channel that is changed in place has windows of the firing's own.
sed -e 's/half(DAL_read_begin(PORT_in/half(DAL_read_begin(PORT_before/' -e 's/input_fire/inplace_fire/' input.c >inplace.c
for how in '' ' inplace="true"'; do
    chain '' inplace | sed -e '/process name="inplace"/s|<port|<port type="input" name="before"/><port type="output" name="after"/>&|' \
        -e "s|</processnetwork>|$(channel self inplace after inplace before "initialtokens=\"2\"$how" | tr -d '\n')&|" >loop.xml
    "$dalsynth" --explain --emit-only -o out loop.xml architecture.xml mapping.xml >inplace 2>&1 || fail "no loop$how" inplace
    row inplace inplace | grep 'writes the window of an input' >written || true
    [[ -s written ]] && found='' || found=' inplace="true"'
    [ "$found" = "$how" ] || fail "windows in place '$how'" inplace
done

# Another file of the source may have a function by a name of the library.
printf '%s\n' 'double tgamma(double x)' '{' '    static int n;' '    return x + n++;' '}' >gamma.c
echo 'int square(int x) { return x * x; }' >square.c
sed -e 's/plain_fire/calls_fire/' -e '/dal.h/s/$/\n#include <math.h>/' -e 's/^    DAL_write/    x += (int)tgamma(x);\n&/' plain.c >calls.c
for file in gamma square; do
    chain '' calls | sed "s|<source type=\"c\" location=\"calls.c\"/>|<source type=\"c\" location=\"calls.c\"><file location=\"$file.c\"/></source>|" >network.xml
    "$dalsynth" --explain --emit-only -o out network.xml architecture.xml mapping.xml >$file 2>&1 || fail "not synthesised with $file" $file
done
row gamma calls | grep -F "calls 'tgamma', which gamma.c defines" >/dev/null || fail "the library's name is the file's" gamma
row square calls | grep 'S: its source keeps nothing' >/dev/null || fail "a file that defines nothing of the library" square

# Copies that are asked for: only what is known to keep nothing has them.
explained many 'shadowcopies="16"' plain
row many plain | grep 'S: of 16 given, on 2 cores' >/dev/null || fail "copies beyond the cores" many
explained given 'shadowcopies="2"' plain prints
row given plain | grep 'S given' >/dev/null || fail "no copies" given
expect "network.xml:6: warning: [no-effect] process 'prints': shadow copies mean nothing, since it may keep a state: prints.c:" messages

# Some have one firing at a time whatever their source says: effects outside, periods.
sed 's/<process name="plain"/& type="io"/' network.xml >io.xml
"$dalsynth" --explain --emit-only -o out io.xml architecture.xml mapping.xml >io 2>&1
row io plain | grep 'type io has effects outside' >/dev/null || fail "effects outside side by side" io
sed 's/<process name="plain" shadowcopies="2"/<process name="plain" period="1ms"/' network.xml >periodic.xml
"$dalsynth" --explain --emit-only -o out periodic.xml architecture.xml mapping.xml >periodic 2>&1
! row periodic plain | grep -E 'S: |S given' >/dev/null || fail "a release for several firings" periodic

# C++ is not looked into.
cp plain.c plain.cc
sed 's/type="c" location="plain.c"/type="c++" location="plain.cc"/' network.xml >cxx.xml
"$dalsynth" --explain --emit-only -o out cxx.xml architecture.xml mapping.xml >cxx 2>&1
row cxx plain | grep 'C++ is not looked into' >/dev/null || fail "C++ side by side" cxx

# A source is read with the macros that the Makefile gives it. Where options may hide some, there is a doubt.
cat >history.c <<'END'
#include "dal.h"
int history_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
#ifdef HISTORY
    static int last;
    x += last++;
#endif
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
END
echo -DHISTORY >opts
echo '#define HISTORY' >history.h
chain '' history >history.xml
# read_with CFLAGS WORDS: so the source is judged with these options; variables of the environment may have more.
read_with() {
    sed "s/location=\"history.c\"/&${1:+ cflags=\"$1\"}/" history.xml >network.xml
    "$dalsynth" --explain --emit-only -o out network.xml architecture.xml mapping.xml >history 2>&1 ||
        fail "not synthesised with $1" history
    row history history | grep -F "$2" >/dev/null || fail "$1 is not '$2'" history
}
with="one firing at a time: history.c:8 uses variable 'last'"
hidden='one firing at a time: an option, as @FILE or -Wp, may bring macros that are not seen'
read_with '' 'S: its source keeps nothing'
read_with '-DHISTORY' "$with"
# with_each OPTIONS WORDS: the same with them in each place that the Makefile takes.
with_each() {
    read_with "$1" "$2"
    CC="${CC:-cc} $1" read_with '' "$2"
    DAL_CFLAGS="-I$source/include $1" read_with '' "$2"
    CPPFLAGS=$1 read_with '' "$2"
    CFLAGS="-O1 $1" read_with '' "$2"
}
for options in @opts -Wp,-DHISTORY,-include,history.h '-Xpreprocessor -DHISTORY' '--define-macro HISTORY' '--include history.h'; do
    with_each "$options" "$hidden"
done
for options in -DHISTORY '-D HISTORY' '-include history.h' -Wp,-DHISTORY -Wp,-UOTHER,-DHISTORY --define-macro=HISTORY; do
    with_each "$options" "$with"
done
for options in --param=ssp-buffer-size=4 '-Wp,-D_FORTIFY_SOURCE=2 -O2' -UHISTORY; do
    with_each "$options" 'S: its source keeps nothing'
done
CC="${CC:-cc} -DHISTORY" DAL_CFLAGS=-UHISTORY read_with '' 'S: its source keeps nothing'
DAL_CFLAGS=-DHISTORY CPPFLAGS=-UHISTORY read_with '' 'S: its source keeps nothing'
CPPFLAGS=-DHISTORY read_with -UHISTORY 'S: its source keeps nothing'
CPPFLAGS=-Wp,-DHISTORY read_with -UHISTORY "$with" # compilers take it last

# Advice tries more cores for what is found, and names what is in the way of others.
architecture core_0 core_1 core_2 core_3 >four.xml
for name in plain prints; do
    chain '' $name >network.xml
    echo "{\"Source\": 1000, \"Sink\": 1000, \"$name\": 1000000}" >times.json
    mapping "$name - core_0" "Source - core_1" "Sink - core_1" >one.xml
    "$dalsynth" --check --explain --times=times.json --advice network.xml four.xml one.xml >advice-$name 2>&1 || true
done
grep -E "^plain to core_0, core_2, core_3, core_1 " advice-plain >/dev/null || fail "no advice of more cores" advice-plain
expect "prints has to take less time, or to be stateless, and then have copies: prints.c:7 calls 'printf'" advice-prints
mapping "* - core_*" >all.xml
"$dalsynth" --check --explain --times=times.json --advice network.xml four.xml all.xml >advice-all 2>&1 || true
expect "prints has to take less time, or to be stateless, and then have copies: prints.c:7 calls 'printf'" advice-all
expect '2 of 4 cores are of use, since prints fires once at a time' advice-all

echo "$count sources"
