#!/usr/bin/env bash
# Words that kernels of a group pass in registers: the text has no memory between them, and the bytes are those of cores
# and of memory. Kernels that only look as if they went over words are not fused, and --explain says what is in the way.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

"$dalinfo" --architecture -o machine.xml
has_device machine.xml || fail "no OpenCL device"
architecture core device >architecture.xml

cat >source.c <<'END_C'
#include <dal.h>
struct _local_states { int next; };
int Source_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->next, 4, p);
    return ++p->local->next == 1000;
}
END_C
cat >sink.c <<'END_C'
#include <dal.h>
int Sink_fire(DALProcess *p)
{
    unsigned a[16], b[16];
    int i;
    DAL_read(PORT_in, a, sizeof(a), p);
    DAL_read(PORT_also, b, sizeof(b), p);
    for (i = 0; i < 16; i++)
        DAL_printf("%u %u%c", a[i], b[i], i < 15 ? ' ' : '\n');
    return 0;
}
END_C

# The forms: an index from a launch's begin on, or from a firing's; a pointer that is moved; a loop whose variable and
# number of work-items have names; a word that is read now and then, or twice; no loop.
cat >make.cl <<'END_CL'
__kernel void Make(__global const int *in, __global uint *out)
{
    size_t g = get_group_id(0);
    uint seed = in[g];
    for (size_t i = get_local_id(0); i < 16; i += get_local_size(0))
        out[g * 16 + i] = seed * 16 + i;
}
END_CL
cat >mix.cl <<'END_CL'
static uint turn(uint x, int by) { return x << by ^ 3 * x; }
__kernel void Mix(__global const uint *in, __global uint *out, int gain)
{
    uint item = get_local_id(0), items = get_local_size(0), i;
    __global const uint *from = in + get_group_id(0) * 16;
    out += get_group_id(0) * 16;
    for (i = item; i < 16; i += items) {
        uint x = i;
        if (i % 3)
            x += turn(from[i], gain) ^ from[i];
        for (int k = 0; k < gain; k++)
            x = 5 * x + k;
        out[i] = x;
    }
}
END_CL
cat >each.cl <<'END_CL'
__kernel void Each(__global const uint *in, __global uint *out)
{
    size_t i = get_global_id(0);
    out[i] = in[i] * in[i] + 1;
}
END_CL
sed 's/Each/Last/; s/+ 1/- 7/' each.cl >last.cl

word() { # NAME BEFORE EXPRESSION: a process on a core with the bytes of its kernel
    printf '#include <dal.h>\n#include <stdlib.h>\n%s\nint %s_fire(DALProcess *p)\n{\n' "$2" "$1"
    printf 'unsigned in[16], out[16];\nint i;\nDAL_read(PORT_in, in, TOKEN_in_SIZE, p);\n'
    printf 'for (i = 0; i < 16; i++)\n out[i] = %s;\nDAL_write(PORT_out, out, 64, p);\nreturn 0;\n}\n' "$3"
}
word Make '' 'in[0] * 16 + i' >make.c
word Mix 'static unsigned mix(unsigned x, unsigned i, int gain)
{
    unsigned y = i;
    int k;
    if (i % 3)
        y += (x << gain ^ 3 * x) ^ x;
    for (k = 0; k < gain; k++)
        y = 5 * y + k;
    return y;
}' 'mix(in[i], i, atoi(DAL_getParameter("gain", p)))' >mix.c
word Each '' 'in[i] * in[i] + 1' >each.c
word Last '' 'in[i] * in[i] - 7' >last.c

process() { # NAME PORTS ITEMS
    local port file=${1,}
    echo "<process name=\"$1\">"
    for port in $2; do
        echo "<port type=\"$([ "$port" = out ] && echo output || echo input)\" name=\"$port\"/>"
    done
    echo "<source id=\"0\" type=\"c\" location=\"$file.c\"/>"
    [ -z "${3:-}" ] || echo "<source id=\"1\" type=\"opencl\" location=\"$file.cl\" dataparallelism=\"$3\"/>"
    [ "$1" != Mix ] || echo '<parameter name="gain" value="3"/>'
    echo '</process>'
}
{
    echo '<processnetwork name="words">'
    process Source out
    process Make 'in out' 4
    process Mix 'in out' 4
    process Each 'in out' 16
    process Last 'in out' 16
    process Sink 'in also'
    channel enter Source out Make in
    channel made Make out Mix in 'tokensize="64"'
    channel mixed Mix out Each in 'tokensize="64"'
    channel show Mix out Sink also 'tokensize="64"'
    channel square Each out Last in 'tokensize="64"'
    channel leave Last out Sink in 'tokensize="64"'
    echo '</processnetwork>'
} >network.xml
mapping 'Source 0 core' 'Make 1 device group="yes"' 'Mix 1 device group="yes"' 'Each 1 device group="yes"' \
    'Last 1 device group="yes"' 'Sink 0 core' >mapping.xml
mapping '* 0 core' >cores.xml

# ---- what is passed in registers ---------------------------------------------------------------------

synthesise --explain -o fused network.xml architecture.xml mapping.xml
expect 'made passes words in registers' made
expect 'square passes words in registers' made
expect 'mixed passes words in memory: its ends have different numbers of work-items' made
text=$(find fused -name 'Make_to_Last.cl')
# Two loops; from memory, only the second's input is loaded; into memory, only what each loop ends with is stored.
[ "$(grep -c 'for (ulong dal__i' "$text")" = 2 ] || fail 'not two loops' "$text"
[ "$(grep -c ' = ((__global uint \*)(dal__base_.*))\[dal__i\];' "$text")" = 1 ] || fail 'not one load' "$text"
[ "$(grep -c '^ *((__global uint \*)(.*))\[dal__i\] = ' "$text")" = 2 ] || fail 'not two stores' "$text"
sed -n '/for (ulong dal__i/,/^        }/p' "$text" | grep -q 'barrier\|dal__slot' && fail 'memory in a loop' "$text"
grep -A 3 'dal__fire_0(' "$text" | grep -q 'dal__fire_1(0, 0, ' || fail 'a pointer between Make and Mix' "$text"

DAL_REGISTERS=0 synthesise --explain -o memory network.xml architecture.xml mapping.xml
expect 'made passes words in memory: DAL_REGISTERS=0' made
grep -q dal__word memory/Make_to_Last.cl && fail 'DAL_REGISTERS=0 changes nothing' memory/Make_to_Last.cl
synthesise --tap='*' -o cores network.xml architecture.xml cores.xml
DAL_TAP=of-cores run 0 cores/words
mv output expected
[ "$(wc -l <expected)" = 1000 ] || fail "$(wc -l <expected) lines" messages
for program in fused memory; do
    DAL_STATS=1 run 0 $program/words
    expect 'Make to Last, 4 processes, 1000 rounds in' messages
    cmp output expected || fail "$program: other bytes"
done

# Where nobody asks, kernels of several work-items are a group if all between them passes in registers.
mapping '* 1 device' 'Source 0 core' 'Sink 0 core' >unasked.xml
synthesise --explain -o unasked network.xml architecture.xml unasked.xml
expect 'launched as one on device: Make, Mix; I = 4' made
expect 'launched as one on device: Each, Last; I = 16' made
expect 'Each is not launched with what it reads from: Each has 16 work-items, and the mapping does not ask for a group' made
DAL_STATS=1 run 0 unasked/words
expect 'Make to Mix, 2 processes, 1000 rounds in' messages
cmp output expected || fail 'unasked: other bytes'
DAL_REGISTERS=0 synthesise --explain -o single network.xml architecture.xml unasked.xml
expect 'Mix has 4 work-items, the mapping does not ask for a group, and made does not pass in registers: DAL_REGISTERS=0' made
! grep 'launched as one' made >log || fail 'a group that nobody asks for' log
run 0 single/words
cmp output expected || fail 'each by itself: other bytes'
mapping '* 1 device group="no"' 'Source 0 core' 'Sink 0 core' >barred.xml
synthesise --explain -o barred network.xml architecture.xml barred.xml
! grep 'launched as one' made >log || fail 'a group of what is kept apart' log

# A tap keeps all of a channel in registers. Who fires alone on what was kept, or is replayed, does not pass words.
synthesise --explain --tap='*' -o tapped network.xml architecture.xml mapping.xml
expect 'made passes words in registers' made
DAL_TAP=of-group DAL_STATS=1 run 0 tapped/words
expect 'Make to Last, 4 processes, 1000 rounds in' messages
cmp output expected || fail 'with taps: other bytes'
[ -s of-group/Make.out.json ] || fail 'no tap at what is in registers' messages
run 0 "$build/tools/dal" diff of-cores of-group
synthesise --explain --only=Mix="$work/of-group" -o alone network.xml architecture.xml mapping.xml
! grep 'passes words' made >log || fail 'a process alone passes words' log
run 0 alone/words
synthesise --explain --replay=Mix="$work/of-cores" -o replayed network.xml architecture.xml mapping.xml
! grep 'made passes words' made >log || fail 'what is replayed passes words' log
run 0 replayed/words
cmp output expected || fail 'replayed: other bytes'

# Windows that are watched are those of each kernel.
synthesise --explain --guard -o guarded network.xml architecture.xml mapping.xml
! grep 'passes words' made >log || fail 'a guarded program has words in registers' log
expect 'Mix is not launched with what it reads from: windows are watched' made
run 0 guarded/words
cmp output expected || fail 'guarded: other bytes'

if (use_cuda); then
    architecture core cuda >cuda.xml
    sed 's/"device"/"cuda"/' mapping.xml >on_cuda.xml
    (
        use_cuda
        synthesise --explain -o cuda network.xml cuda.xml on_cuda.xml
        expect 'made passes words in registers' made
        DAL_STATS=1 run 0 cuda/words
        expect 'Make to Last, 4 processes, 1000 rounds in' messages
        cmp output expected || fail 'on CUDA: other bytes'

        # What is not in registers lies in local memory there, where it fits and nothing else is in it.
        DAL_REGISTERS=0 synthesise -o cuda network.xml cuda.xml on_cuda.xml
        grep -A 1 DAL_ONE_ADDRESS_SPACE cuda/Make_to_Last.cl | grep -q 'DAL_LOCAL_VARIABLE ulong dal__inside\[' ||
            fail 'tokens inside do not lie in local memory' cuda/Make_to_Last.cl
        run 0 cuda/words
        cmp output expected || fail 'on CUDA, from local memory: other bytes'
        sed 's/tokensize="64"/tokensize="65536"/' network.xml >large.xml
        synthesise -o large large.xml cuda.xml on_cuda.xml
        ! grep DAL_ONE_ADDRESS_SPACE large/Make_to_Last.cl >log || fail 'large tokens lie in local memory' log
        sed -i 's/uint seed/__local uint box; &/' make.cl
        synthesise -o boxed network.xml cuda.xml on_cuda.xml
        ! grep DAL_ONE_ADDRESS_SPACE boxed/Make_to_Last.cl >log || fail 'beside local memory of a kernel' log
        sed -i 's/__local uint box; //' make.cl
    ) || exit 1
fi
run 0 cores/words -p Mix.gain=1
mv output expected
run 0 fused/words -p Mix.gain=1
cmp output expected || fail 'a parameter: other bytes'

if simulator vendors; then
    sed -i 's/next == 1000/next == 6/' source.c
    for program in fused cores; do synthesise -o $program network.xml architecture.xml "${program/fused/mapping}.xml"; done
    run 0 cores/words
    mv output expected
    OCL_ICD_VENDORS=$work/vendors OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1 OCLGRIND_LOG=$work/findings \
        run 0 fused/words
    cmp output expected || fail 'in the simulator: other bytes'
    [ ! -s findings ] || fail 'the simulator has found something' findings
fi

# ---- what only looks so ------------------------------------------------------------------------------

# looks REASON BODY [SED]: with this body of Mix, what it reads stays in memory, or in registers for this reason; with
# at=mixed, what it writes. The network may be changed as well.
looks() {
    local how="memory: $1"
    [ "$1" != registers ] || how=registers
    printf '%s %s\n__kernel void Mix(__global const uint *in, __global uint *out, int gain)\n{\n%s\n}\n' \
        'static uint of(__global const uint *x, int i) { return x[i]; } uint add(uint *z, uint x) { return *z += x; }' \
        'uint get_less(__global uint *z) { return *z -= 1; } uint mine(void) { return get_local_id(0); }' \
        "$2" >mix.cl
    sed "${3:-}" network.xml >changed.xml
    run 0 "$dalsynth" --check --explain changed.xml architecture.xml mapping.xml
    expect 'launched as one on device: Make, Mix' output
    expect "${at:-made} passes words in $how" output
}
# in_loop REASON STATEMENTS: in a loop as above
in_loop() {
    looks "$1" "size_t g = get_group_id(0) * 16, i;
uint sum = 0; uint2 pair = 0; struct { uint z[2]; uint2 pair; struct { uint z; } inner[2]; } kept = {{0}};
for (i = get_local_id(0); i < 16; i += get_local_size(0)) {
$2
}"
}
run 0 "$dalsynth" --check --explain network.xml architecture.xml mapping.xml
expect 'made passes words in registers' output

in_loop "mix.cl:7: 'in[g + (i ^ 1)]' is not the work-item's own word" 'out[g + i] = in[g + (i ^ 1)];'
in_loop "mix.cl:7: 'in[g + i + 1 - 1]' is not the work-item's own word" 'out[g + i] = in[g + i + 1 - 1];'
in_loop "mix.cl:7: 'in[(uchar)(g + i)]' is not the work-item's own word" 'out[g + i] = in[(uchar)(g + i)];'
in_loop "mix.cl:7: 'in[i + gain]' is not the work-item's own word" 'out[g + i] = in[i + gain];'
in_loop "mix.cl:7: 'of(in, g + i)' uses the pointer itself" 'out[g + i] = of(in, g + i);'
in_loop "mix.cl:7: '*in' uses the pointer itself" 'out[g + i] = *in;'
in_loop "mix.cl:7: 'sum' is carried from word to word" 'sum += in[g + i]; out[g + i] = sum;'
in_loop "mix.cl:7: 'i' is carried from word to word" 'out[g + i] = in[g + i]; i += gain;'
# So are an array in a structure, and components of a vector; what is only looked at is not.
in_loop registers 'out[g + i] = in[g + i] + sum + pair.x + pair.yx.y + kept.pair.y + (kept.pair + pair).x;'
for line in 'kept.z[0] += in[g + i]; out[g + i] = kept.z[0];' 'kept.inner[1].z += in[g + i]; out[g + i] = kept.inner[1].z;' \
    'out[g + i] = add(kept.z, in[g + i]);' 'uint *z = kept.z; out[g + i] = z[0] += in[g + i];' \
    '*(gain ? kept.z : &sum) += in[g + i]; out[g + i] = gain;' 'kept.pair.x += in[g + i]; out[g + i] = kept.pair.x;'; do
    in_loop "mix.cl:7: 'kept' is carried from word to word" "$line"
done
for line in 'pair.y += in[g + i]; out[g + i] = pair.y;' 'pair.yx = pair + in[g + i]; out[g + i] = pair.x;' \
    '(pair).s0++; out[g + i] = in[g + i] + pair.s0;' 'pair = in[g + i] + pair; out[g + i] = pair.x;'; do
    in_loop "mix.cl:7: 'pair' is carried from word to word" "$line"
done
in_loop "mix.cl:7: 'in[g + at.y]' is not the work-item's own word" 'ulong2 at = i; at.y = 3; out[g + i] = in[g + at.y];'
in_loop "mix.cl:7: 'continue' may leave words out" 'if (in[g + i] == 4) continue; out[g + i] = in[g + i];'
at=mixed in_loop "mix.cl:7: 'out[g + i] = 1' is not always done" 'if (in[g + i] > 40) out[g + i] = 1;'
at=mixed in_loop "mix.cl:7: an output is more than stored once" 'out[g + i] = in[g + i]; out[g + i] = 3;'
at=mixed in_loop "mix.cl:7: 'out[g + i] += in[g + i]' does more than take it" 'out[g + i] += in[g + i];'
for line in 'if (in[g + i] > 40) out[g + i] = 1;' 'while (in[g + i] > 40) out[g + i] = 1;'; do # nor without braces
    at=mixed looks "mix.cl:5: 'out[g + i] = 1' is not always done" \
        "size_t g = get_group_id(0) * 16;
for (size_t i = get_local_id(0); i < 16; i += get_local_size(0)) $line"
done
# Brackets around an element, and around a store of one, change nothing.
in_loop registers '(out[g + i]) = (in[g + i]) * (in[g + i]);'
in_loop "mix.cl:8: work-items wait for each other" '
barrier(CLK_GLOBAL_MEM_FENCE); out[g + i] = in[g + i];'

# plain REASON FRONT START END STEP INDEX: a loop of its own
plain() {
    looks "$1" "$2
for (int i = $3; i < $4; i += $5)
    out[i] = in[$6];" "${7:-}"
}
plain "mix.cl:5: 'i += 4 * gain' does not step by the number of work-items" '' 'get_local_id(0)' 16 '4 * gain' i
plain 'mix.cl:2: takes another number of work-items for granted' '' 'get_local_id(0)' 16 8 i
plain "mix.cl:5: 'i < gain' has no constant end" '' 'get_local_id(0)' gain 'get_local_size(0)' i
plain 'mix.cl:6: the words are not all of the token' '' 'get_local_id(0)' 12 'get_local_size(0)' i
plain "mix.cl:6: 'in[i]' is not the work-item's own word" '' 0 16 1 i
plain "mix.cl:6: 'in[at]' is not the work-item's own word" 'uint at = gain;' 'get_local_id(0)' 16 4 at
looks "mix.cl:6: 'in[at]' is not the work-item's own word" 'int i = 1, at = i;
for (i = get_local_id(0); i < 16; i += 4)
    out[i] = in[at];'
plain "mix.cl:4: 'in + gain' uses the pointer itself" '__global const uint *from = in + gain;' 'get_local_id(0)' 16 4 i
plain "mix.cl:4: 'from = in + 1' stands beside the loop" '__global const uint *from = in; from = in + 1;' \
    'get_local_id(0)' 16 4 i
plain 'mix.cl:4: has local memory' '__local uint box[4];' 'get_local_id(0)' 16 4 i
looks "mix.cl:4: 'return' may leave words out" \
    'if (get_local_id(0) < 3) return; out[get_global_id(0)] = in[get_global_id(0)];' 's/"4"/"16"/'
plain 'its ends have different numbers of work-items' '' 'get_local_id(0)' 16 'get_local_size(0)' i \
    '/"Mix"/,/process>/s/"4"/"8"/'

# loop REASON FRONT STATEMENTS [SED], rows REASON FRONT BLOCK WORD [SED]: a loop over words, one over blocks with its own
loop() { looks "$1" "$2
for (uint i = get_local_id(0); i < 16; i += get_local_size(0)) { $3 }" "${4:-}"; }
rows() { looks "$1" "$2
for (uint y = get_local_id(0); y < 4; y += get_local_size(0)) { $3
for (x = 0; x < 4; x++) out[4 * y + x] = in[4 * y + x] + $4; }" "${5:-}"; }

# A pointer that moves on.
loop registers '__global const uint *from = in;' 'out[i] = from[i];'
loop "mix.cl:5: 'from' is carried from word to word" '__global const uint *from = in;' 'out[i] = *from++;'
loop "mix.cl:5: 'in' is carried from word to word" '' 'out[i] = in[0]; in += 4;'
loop "mix.cl:5: 'old' is carried from word to word" '__global const uint *old = in;' 'out[i] = *old; old = in + i;'
loop "mix.cl:5: 'to' is carried from word to word" '__global uint *to = out;' '*to++ = in[i];'
rows "mix.cl:5: 'in += 4' stands outside of the loop over words" 'uint x;' '__global const uint *next = (in += 4);' 'x'

# Blocks with the number of the work-item that has one, and with what was counted in the block before.
rows registers 'uint x;' '' 'get_local_size(0)'
rows "mix.cl:6: 'get_local_id' tells which work-item has a block" 'uint x;' '' 'get_local_id(0)'
rows "mix.cl:4: 'get_local_id' tells which work-item has a block" 'uint x, me = get_local_id(0);' '' 'me'
rows "mix.cl:1: 'get_local_id' tells which work-item has a block" 'uint x;' '' 'mine()'
rows registers 'uint x;' '' 'mine()' 's/m="4"/m="1"/'
rows "mix.cl:5: 'x' is carried from word to word" 'uint x = 0;' 'uint before = x;' 'before'
looks "mix.cl:6: 'me' tells which work-item has a block" 'uint me = get_local_id(0);
for (uint y = me; y < 4; y += get_local_size(0))
for (uint x = 0; x < 4; x++) out[4 * y + x] = in[4 * y + x] + me;'
looks "mix.cl:5: what is stored there are not all words of the token" '__global ushort *narrow = (__global ushort *)out;
for (uint y = get_local_id(0); y < 4; y += 4) for (uint x = 0; x < 4; x++) { narrow[4 * y + x] = 1; out[4 * y + x] = in[4 * y + x]; }'

# What is in front of the loop is done for each word, so it changes nothing, and reads what does not change.
loop registers 'uint four = get_local_size(0);' 'out[i] = in[i] + four;'
loop "mix.cl:4: 'get_less(out)' stands outside of the loop over words" 'uint less = get_less(out);' 'out[i] = in[i] + less;'
loop "mix.cl:5: 'out' is used outside of the loop over words, and may change" 'uint first = out[3];' 'out[i] = in[i] + first;'
loop "mix.cl:5: 'to' is used outside of the loop over words, and may change" \
    '__global uint *to = out; uint first = out[3];' 'to[15 - i] = in[i] + first;'
loop "mix.cl:4: '*either' stands outside of the loop over words" \
    '__global const uint *either = gain ? in : in + 1; uint first = *either;' 'out[i] = in[i] + first;'

# An index that does something.
loop "mix.cl:5: 'in[i + 0 * n++]' is not the work-item's own word" '' 'uint n = 1; out[i] = in[i + 0 * n++] + n;'
loop "mix.cl:5: 'in[(n = 4, 0) + i]' is not the work-item's own word" '' 'uint n = 1; out[i] = in[(n = 4, 0) + i] + n;'

# Heads of loops.
counted() { looks "$1" "for ($2) out[i] = in[i];" "${3:-}"; }
counted registers 'uint i = get_local_id(0); i < 16; i++' 's/m="4"/m="1"/'
counted 'mix.cl:2: takes another number of work-items for granted' 'uint i = get_local_id(0); i < 16; i++'
counted "mix.cl:4: 'i <= 15' does not compare the loop's variable by '<'" 'uint i = get_local_id(0); i <= 15; i += 4'
counted "mix.cl:4: 'i < 16' counts in a small type" 'uchar i = get_local_id(0); i < 16; i += 4'
