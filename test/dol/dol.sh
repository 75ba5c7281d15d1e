#!/usr/bin/env bash
# Networks for DOL run as they are: with one file, or with an architecture and a mapping of DOL's. What means nothing
# here is named once. Files that cannot be taken are refused where they stand.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

# ---- networks: numbers names grid reversed windows loop asking patient echo askers alone pieces tokens shared mapped guide flattened loops mixed ----

networks=0
for folder in "$input"/*/; do
    name=$(basename "$folder")
    synthesise -o "$name" "$folder/network.xml"
    cp made "$name.said"
    program=$(find "$name" -maxdepth 1 -type f -perm -u+x)
    run 0 "$program"
    LC_ALL=C sort output >sorted
    LC_ALL=C sort "$folder/expected" | cmp -s - sorted || fail "$name: not what is expected" output messages
    networks=$((networks + 1))
done
[ $networks -ge 20 ] || fail "only $networks networks"
[ -f numbers/architecture.xml ] && [ -f numbers/mapping.xml ] || fail "the machine is not told of" made

# Names as they are written, and what is passed over once.
expect "network.xml:9: warning: [no-effect] passed over: elements configuration 'triggerPeriod', 'stack', 'backend'; " numbers.said
[ "$(grep -c configuration numbers.said)" = 1 ] || fail "settings are told of more than once" numbers.said
expect "Java is not run here" reversed.said
! grep -q 'source-build' numbers.said || fail "a compiler's warning of a port that is a number" numbers.said

# Names of any kind in a trace.
command -v python3 >/dev/null && {
    DAL_TRACE=trace.json run 0 "$(find names -maxdepth 1 -type f -perm -u+x)"
    python3 -c 'import json; assert any("\"" in e["args"].get("name", "") for e in json.load(open("trace.json"))["traceEvents"])' ||
        fail "no trace with a quote in a name" trace.json
}

# A channel with a rate changes nothing of one without.
cp -r "$input/mixed" apart
sed -i '/<!-- others -->/,/<\/processnetwork>/d' apart/network.xml
echo '</processnetwork>' >>apart/network.xml
synthesise -o apart/out apart/network.xml
run 0 apart/out/mixed
LC_ALL=C sort output | cmp -s - <(LC_ALL=C sort "$input/mixed/expected") || fail "without a channel that has a rate: another output" output

# ---- who only asks -------------------------------------------------------------------------------

run 0 echo/echo
expect "process asker ends: it has asked 100000 times for what nobody sends" messages

# A stop ends the sources: what was sent comes back, and then nothing does.
cp -r "$input/echo" endless
sed -i 's/DOL_detach(p)/p->local->sent = 0/' endless/src/source.c
synthesise -o endless/out endless/network.xml
start endless/out/echo
sleep 0.3
kill -TERM $running
timeout 60 tail --pid=$running -f /dev/null || fail "a process that asks does not end" messages
ended
[ "$status" = 0 ] || fail "stopped: exit status $status" messages
grep -qE '^[1-9][0-9]* bytes came back$' output || fail "stopped: not what is expected" output messages

# A question within fire does not outlast a network that broke.
cp -r "$input/echo" broken
sed -i 's/^    DOL_write/    if (p->local->sent == 3)\n        DAL_fail(p, "three are enough");\n&/' broken/src/source.c
sed -i 's/^    if (DOL_rtest((void \*)"A"/    while (!DOL_rtest((void *)"B", 1, p) \&\& p->local->got >= 0)\n        ;\n&/' broken/src/asker.c
synthesise -o broken/out broken/network.xml
run 1 timeout 60 broken/out/echo
expect "three are enough" messages
! grep -q "giving up" messages || fail "a question outlasts the network" messages

# ---- with an architecture and a mapping of DOL's -------------------------------------------------

synthesise -o tile "$input/mapped/network.xml" "$input/mapped/architecture.xml" "$input/mapped/mapping.xml"
for text in "architecture.xml:6: warning: [no-effect] passed over: elements memory 'rdm', 'ddm'; " "element hw_channel 'ahb'; " \
    "element writepath 'rdmddm'; " "element readpath 'ddmddm'; " "element configuration 'memory'; " \
    "mapping.xml:13: warning: [no-effect] passed over: element binding 'third'; " "element schedule 'arm schedule'; "; do
    expect "$text" made
done
run 0 tile/mapped
expect 0.5 output

# Iterated, with variables of their own: N is 3 in the network, and 2 in the mapping.
synthesise --explain -o tiles "$input/loops/network.xml" "$input/loops/architecture.xml" "$input/loops/mapping.xml"
for text in 'even_3 .*tile_0' 'even_2 .*tile_1' 'odd_1_1 .*dsp_1_1' 'odd_2_0 .*dsp_0_2'; do
    grep -q "$text" made || fail "no $text" made
done
run 0 tiles/loops
LC_ALL=C sort output | cmp -s - "$input/loops/expected" || fail "loops: with a mapping, not what is expected" output

# Inits come one after the other: what one of them has drawn, none other draws.
run 0 guide/guide
head -n 1 output | grep -q '^seed begins$' || fail "guide: the first init is not the first" output

# ---- what is refused, and where ------------------------------------------------------------------

# refuses NETWORK SED TEXT: what sed makes of a network that runs is refused with this text.
refuses() {
    rm -rf changed
    cp -r "$input/$1" changed
    sed -i "$2" changed/network.xml
    cmp -s "$input/$1/network.xml" changed/network.xml && fail "$1: $2 changes nothing"
    refuse "$3" changed/network.xml
}

refuses reversed 's/bitreverse(i, log2(N))/butterfly(i, 1, 2)/' \
    "network.xml:32: error: [unknown-function] append: function: there is no function 'butterfly': Java is not run here"
[ "$(grep -c "'butterfly'" messages)" = 1 ] || fail "what iterators repeat is said more than once" messages
refuses reversed 's/log2(N))"/log2(N, 2))"/' "error: [unknown-function] append: function: log2 wants 1 argument, in"
refuses reversed 's|max(4, floor(N / 3))|pow(4, 99)|' "pow has no value of 64 bits"
refuses reversed 's/bitreverse(i, log2(N))/bitreverse(i, 2)/' "bitreverse has no value of 64 bits"
refuses reversed 's|max(4, floor(N / 3))|(4, 5)|' "an operator is missing before ', 5)'"
refuses numbers 's/<port name="100"/<port name="101"/' "network.xml:42: error: [unknown-port]"
refuses numbers 's/name="C2"/name="C2\&#10;"/' "network.xml:26: error: [xml-schema] element 'sw_channel', attribute 'name'"
refuses numbers "s/name=\"C2\"/name=\"$(printf '%.0sx' {1..10000})\"/" "error: [xml-schema]"
refuses numbers 's/size="10" name="C2"/size="0" name="C2"/' "error: [size-zero]"
refuses tokens 's/size="2"/size="1"/' "error: [capacity-too-small]"
refuses tokens 's/tokensize="4"/tokensize="1048576 * 1024"/; s/size="2"/size="1048576 * 1048576"/' "error: [size-too-large]"

refuses flattened 's/name="leaf_0_1" basename/name="leaf_0_2" basename/' \
    "network.xml:14: error: [bad-name] process 'leaf_0_2': the name is not its basename 'leaf' with an index below each of its range '1;2'"
refuses flattened 's/name="leaf_0_1" basename="leaf" range="1;2"/name="leaf_0_1" basename="leaf"/' "error: [bad-name]"
refuses flattened 's/range="1;2"/range="99999999999;-3"/' "error: [bad-name]"
loop="for (int k = 0; k &lt; 2; ++k)"
for other in "for (int k = 0; k &lt; 2; k *= 2)" "for (int j = 0; j &lt; 2; ++j)" "for (int k = -1; k &lt; 2; ++k)" \
    "for (int k = 0; k &lt; 2; k += 0)" "for (k = 0; k &gt; 2; --k)" "for (int k = 0; k &lt; 2; ++k) { }" "for (" "for (;;)" \
    "for (int k = 0; k &lt; 9223372036854775807; k += 9223372036854775807)"; do
    refuses loops "s/$loop/${other//&/\\&}/" "network.xml:13: error: [iterator-range] iterator: range: of Java, a loop"
done
refuses loops "s/$loop/for (int k = 0; k \&lt; M; k++)/" "error: [unknown-variable] iterator: range: there is no variable 'M'"
refuses loops "s/$loop/for (int k = 0; k \&lt; 1000000000; k++)/" "error: [iterator-range] iterator: its loop has more than 1000000 values"
refuses loops "s/$loop/0 - 1/" "error: [iterator-range] iterator: range is -1"
refuses loops "s/$loop/1000000000/" "error: [iterator-range] iterator: range is 1000000000"

# refuses_file FILE SED TEXT: the same of the mapping or the architecture of loops.
refuses_file() {
    rm -rf changed
    cp -r "$input/loops" changed
    sed -i "$2" "changed/$1.xml"
    cmp -s "$input/loops/$1.xml" "changed/$1.xml" && fail "$1: $2 changes nothing"
    refuse "$3" changed/network.xml changed/architecture.xml changed/mapping.xml
}

refuses_file mapping 's/range="ALL"/range="ALL + 1"/' "[unknown-process]"
refuses_file mapping 's/range="ALL"/range="2"/' "[unbound-process]"
refuses_file mapping 's/range="ALL"/range="1000000000"/' "mapping.xml:5: error: [iterator-range]"
refuses_file mapping 's/range="ALL"/range="-1"/' "mapping.xml:5: error: [iterator-range]"
refuses_file mapping 's/range="ALL"/range="MANY"/' "mapping.xml:5: error: [unknown-variable]"
refuses_file mapping 's/value="N + 1"/value="ALL + 1"/' "mapping.xml:4: error: [unknown-variable]"
refuses_file mapping 's/name="ALL"/name="N"/' "mapping.xml:4: error: [duplicate-name]"
refuses_file mapping 's/variable="k"/variable="i"/' "mapping.xml:10: error: [duplicate-name]"
refuses_file architecture 's/range="TILES"/range="N"/' "architecture.xml:4: error: [unknown-variable]"
refuses_file architecture 's/<append function="d + 1"\/>//' "error: [duplicate-name]"
refuses_file architecture 's/range="TILES"/range="1000000"/' "architecture.xml:8: error: [network-size] more than 4096 processors"
refuses_file architecture 's/function="t"/function="t - 1"/' "architecture.xml:5: error: "

# wrong TEXT FILE SED [NETWORK]: a source that sed has changed does not build, or its program ends with this text.
wrong() {
    local network=${4:-windows}
    rm -rf changed refused
    cp -r "$input/$network" changed
    sed -i "$3" "changed/src/$2"
    cmp -s "$input/$network/src/$2" "changed/src/$2" && fail "$2: $3 changes nothing"
    if "$dalsynth" -o refused changed/network.xml >messages 2>&1; then
        run 1 "$(find refused -maxdepth 1 -type f -perm -u+x)"
    fi
    expect "$1" messages
}

wrong "process doubler: port in is an input port (network.xml:" doubler.c 's/DOL_reserve((void \*)"out"/DOL_reserve((void *)"in"/'
wrong "process maker: DOL_capture on port 1, which is an output port (network.xml:6)" maker.c 's/DOL_reserve/DOL_capture/'
wrong "process maker: DOL_release on port 1, of which nothing is begun (network.xml:6)" maker.c 's/DOL_reserve((void/DOL_wtest((void/; s/&window, 2/2/; s/!= 8/!= 1/; s/window\[.\] =/(void)window,/; s/int \*window;/int *window = 0;/'
wrong "process doubler: port in is used again before its window is ended (network.xml:10)" doubler.c '/DOL_consume/d'
wrong "process paster has no port of this name" paster.c 's/"in", text, 11/"nowhere", text, 11/' pieces

# A state of any name, which a cast at p->local tells.
rm -rf changed state
cp -r "$input/windows" changed
sed -i 's/typedef struct _local_states {/typedef struct sums {/; s/^} Adder_State;/} Sums;/; s/p->local->/((struct sums *)(p->local))->/g' changed/src/adder.c
synthesise -o state changed/network.xml
run 0 "$(find state -maxdepth 1 -type f -perm -u+x)"
cmp -s <(LC_ALL=C sort output) <(LC_ALL=C sort "$input/windows/expected") || fail "a state by a cast: not what is expected" output

# ---- a writer whose readers have gone ------------------------------------------------------------

# However fast either is, it ends with the write that does not fit: 5 numbers are read, and 4 fit. What it has sent
# before is told, nothing else. Windows of two or three count as a whole. What is written for the one
# that reads but one number falls away.
mkdir -p gone/src
cat >gone/network.xml <<'END_XML'
<processnetwork xmlns="http://www.tik.ee.ethz.ch/~shapes/schema/PROCESSNETWORK" name="gone">
  <process name="writer"><port type="output" name="1"/><port type="output" name="2"/><source type="c" location="writer.c"/></process>
  <process name="reader"><port type="input" name="1"/><source type="c" location="reader.c"/></process>
  <process name="early"><port type="input" name="1"/><source type="c" location="early.c"/></process>
  <sw_channel type="fifo" size="16" name="C1"><port type="input" name="0"/><port type="output" name="1"/></sw_channel>
  <sw_channel type="fifo" size="4" name="C2"><port type="input" name="0"/><port type="output" name="1"/></sw_channel>
  <connection name="a"><origin name="writer"><port name="1"/></origin><target name="C1"><port name="0"/></target></connection>
  <connection name="b"><origin name="C1"><port name="1"/></origin><target name="reader"><port name="1"/></target></connection>
  <connection name="c"><origin name="writer"><port name="2"/></origin><target name="C2"><port name="0"/></target></connection>
  <connection name="d"><origin name="C2"><port name="1"/></origin><target name="early"><port name="1"/></target></connection>
</processnetwork>
END_XML
for name in writer reader early; do
    cat >gone/src/$name.c <<END_C
#include <dol.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct _local_states { int count; };
void ${name}_init(DOLProcess *p) { p->local->count = 0; }
static void pause_if(const char *who) { if (getenv(who)) usleep((useconds_t)atoi(getenv(who))); }
END_C
done
cat >>gone/src/writer.c <<'END_C'
int writer_fire(DOLProcess *p)
{
    int number = p->local->count++, *window, size = getenv("WINDOW") ? atoi(getenv("WINDOW")) : 0;
    pause_if("WRITER");
    if (size > 0) {
        DOL_reserve((void *)1, &window, 4 * size, p);
        for (int i = 0; i < size; i++)
            window[i] = number;
        DOL_release((void *)1, p);
    } else {
        DOL_write((void *)1, &number, 4, p);
    }
    DOL_write((void *)2, &number, 4, p);
    printf("%d\n", number);
    return 0;
}
END_C
cat >>gone/src/reader.c <<'END_C'
int reader_fire(DOLProcess *p)
{
    int number;
    pause_if("READER");
    DOL_read((void *)1, &number, 4, p);
    if (++p->local->count == 5)
        DOL_detach(p);
    return 0;
}
END_C
cat >>gone/src/early.c <<'END_C'
int early_fire(DOLProcess *p)
{
    int number;
    DOL_read((void *)1, &number, 4, p);
    DOL_detach(p);
    return 0;
}
END_C
synthesise -o gone/out gone/network.xml
# ends WINDOW EXPECTED: many times, with a slow writer, a slow reader, and neither.
ends() {
    local pace
    for pace in WRITER=0 READER=0 WRITER=300 READER=300 WRITER=0 READER=0 WRITER=2000 READER=2000; do
        for _ in 1 2 3 4 5; do
            env WINDOW="$1" "$pace" gone/out/gone >output 2>messages || fail "gone: exit status $?" messages
            [ "$(tail -n 1 output)" = "$2" ] || fail "gone: $pace $1: the last number is not $2" output
        done
    done
}
ends 0 8
ends 2 3
ends 3 2

# ---- C++ -----------------------------------------------------------------------------------------

if command -v g++ >/dev/null; then
    cat >process.cpp <<'END_CPP'
#include <dol.h>

struct _local_states {
    int index;
};

extern "C" int process_fire(DOLProcess *p)
{
    float *window;
    const float in = 0;
    float out;
    CREATEPORTVAR(port);
    CREATEPORT(port, "in", 1, p->local->index, 2);
    CREATEPORT(port, 1, 1, GETINDEX(0), 2);
    DOL_read((void *)1, &out, sizeof(out), p);
    DOL_write((void *)"out", &in, sizeof(in), p);
    if (DOL_rtest(port, 1, p) && DOL_wtest(port, 1, p))
        DOL_reserve(port, &window, sizeof(*window), p);
    DOL_release(port, p);
    DOL_capture(port, (void **)&window, sizeof(*window), p);
    DOL_consume(port, p);
    DOL_detach(p);
    return -1;
}
END_CPP
    for options in -O2 "-O0 -std=c++11" "-O2 -std=c++20 -Wall -Wextra -Werror"; do
        read -ra words <<<"$options"
        g++ "${words[@]}" -I"$source/include" -c process.cpp -o process.o 2>log || fail "g++ $options" log
    done
fi

echo "$networks networks for DOL run as they are"
