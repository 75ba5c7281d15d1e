#!/usr/bin/env bash
# Words that portable processes of a group pass in registers, as kernels do (registers.sh): by a loop over blocks, or by one
# over the words of each block. What only looks so stays in memory.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

"$dalinfo" --architecture -o machine.xml
has_device machine.xml || fail "no OpenCL device"
architecture core device >architecture.xml

cat >source.c <<'END_C'
#include <dal.h>
struct _local_states { unsigned next; };
int Source_fire(DALProcess *p)
{
    unsigned *out = DAL_WRITE_TOKENS(unsigned, out, 16, 16, 0, p);
    for (int i = 0; i < 16; i++)
        out[i] = 2654435761u * p->local->next++;
    DAL_write_end(PORT_out, out, p);
    return p->local->next == 16 * 500;
}
END_C
cat >sink.c <<'END_C'
#include <dal.h>
int Sink_fire(DALProcess *p)
{
    unsigned a[16], b[16];
    DAL_read(PORT_in, a, sizeof(a), p);
    DAL_read(PORT_also, b, sizeof(b), p);
    for (int i = 0; i < 16; i++)
        DAL_printf("%u %u%c", a[i], b[i], i < 15 ? ' ' : '\n');
    return 0;
}
END_C

# portable NAME BODY: its windows are begun in front, and ended behind.
portable() {
    cat >"${1,}_portable.c" <<END_C
#include <dal.h>
static const unsigned odd[4] = {1, 3, 5, 7};
static inline unsigned turn(unsigned x, int by) { return x << by ^ 3 * x; }
static inline unsigned of(DAL_WINDOW const unsigned *x, int i) { return x[i]; }
static inline unsigned phase(DALProcess *p) { return (unsigned)DAL_getPhase(p); }
int $1_fire(DALProcess *p)
{
    DAL_WINDOW const unsigned *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_WINDOW unsigned *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
$2
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}
END_C
}
# A block is a word; words of a block are as far apart as there are blocks; they are in a row, by the window or by the row,
# with a pointer of its own; a word is read now and then; a block has a window of its own.
portable Word 'DAL_foreach (i : PORT_out) { out[i] = 2 * in[i] + odd[i % 4]; }'
portable Apart 'DAL_foreach (b : PORT_out) {
unsigned i;
for (i = (unsigned)b; i < 16; i += BLOCK_out_COUNT) { unsigned x = i; if (i % 3) x += turn(in[i], b) ^ in[i]; out[i] = x; } }'
portable Row 'DAL_foreach (y : PORT_out)
for (int i = y * 4; i < (y + 1) * 4; i++) out[i] = in[i] * (unsigned)(y + 1) + 5;'
portable Line 'DAL_foreach (y : PORT_out) {
DAL_WINDOW const unsigned *here = in + y * 4;
for (int x = 0; x < 4; ++x) out[4 * y + x] = (unsigned)x ^ here[x] + (unsigned)y; }'
cat >block_portable.c <<'END_C'
#include <dal.h>
int Block_fire(DALProcess *p)
{
    DAL_WINDOW const unsigned *in = DAL_READ_TOKENS(const unsigned, in, TOKEN_in_RATE, p);
    DAL_foreach (b : PORT_out) {
        DAL_WINDOW unsigned *out = DAL_WRITE_TOKENS(unsigned, out, TOKEN_out_RATE, BLOCK_out_SIZE, b, p);
        for (int i = 0; i < BLOCK_out_SIZE; i += 1)
            out[i] = in[b * BLOCK_out_SIZE + i] - 7;
        DAL_write_end(PORT_out, out, p);
    }
    DAL_read_end(PORT_in, in, p);
    return 0;
}
END_C
cat >kernel.cl <<'END_CL'
__kernel void Kernel(__global const uint *in, __global uint *out)
{
    for (size_t y = get_local_id(0); y < 8; y += get_local_size(0))
        for (int x = 0; x < 2; x++)
            out[16 * get_group_id(0) + 2 * y + x] = in[16 * get_group_id(0) + 2 * y + x] * 3;
}
END_CL
cat >kernel.c <<'END_C'
#include <dal.h>
int Kernel_fire(DALProcess *p)
{
    unsigned in[16];
    DAL_read(PORT_in, in, sizeof(in), p);
    for (int i = 0; i < 16; i++)
        in[i] *= 3;
    DAL_write(PORT_out, in, sizeof(in), p);
    return 0;
}
END_C

# chain NAME...: a network of processes in a row, and its mapping
chain() {
    local name last='' code blocks rates='type="unsigned" tokenratein="16" tokenrateout="16"'
    local device='device group="yes" workitems="4"' bindings=()
    echo '<processnetwork name="words">'
    for name; do
        code=portable:${name,}_portable.c
        [ -z "$last" ] || echo "<channel name=\"from_$last\" from=\"$last.out\" to=\"$name.in\" $rates$blocks/>"
        blocks=' blocks="4"'
        case $name in
        Source | Sink) code=${name,}.c blocks='' bindings+=("$name 0 core") ;;
        Kernel) code='kernel.c kernel.cl' blocks='' bindings+=("$name 1 $device") ;;
        *) bindings+=("$name 0 $device") ;;
        esac
        [ "$name" != Word ] || blocks=' blocks="16"'
        [ "$name" != Block ] || blocks=' blocks="8"'
        echo "<process name=\"$name\" source=\"$code\"/>"
        last=$name
    done
    echo "<channel from=\"Row.out\" to=\"Sink.also\" $rates/></processnetwork>"
    mapping "${bindings[@]}" >mapping.xml
}
chain Source Word Apart Row Line Block Kernel Sink >network.xml
mapping '* 0 core' >cores.xml

# ---- what is passed in registers ---------------------------------------------------------------------

synthesise --explain -o fused network.xml architecture.xml mapping.xml
for name in Word Apart Row Line Block; do expect "from_$name passes words in registers" made; done
text=fused/Word_to_Kernel.cl
[ "$(grep -c 'for (ulong dal__i' "$text")" = 1 ] || fail 'not one loop' "$text"
[ "$(grep -c ' = ((__global uint \*)(dal__base_.*))\[dal__i\];' "$text")" = 1 ] || fail 'not one load' "$text"
[ "$(grep -c '^ *((__global uint \*)(.*))\[dal__i\] = ' "$text")" = 2 ] || fail 'not two stores' "$text"
sed -n '/for (ulong dal__i/,/^        }/p' "$text" | grep -q 'barrier\|dal__slot' && fail 'memory in the loop' "$text"
DAL_REGISTERS=0 synthesise --explain -o memory network.xml architecture.xml mapping.xml
expect 'from_Word passes words in memory: DAL_REGISTERS=0' made
grep -q dal__word memory/Word_to_Kernel.cl && fail 'DAL_REGISTERS=0 changes nothing' memory/Word_to_Kernel.cl
sed 's/workitems="4"/workitems="1"/' mapping.xml >one.xml
synthesise --explain -o one network.xml architecture.xml one.xml
expect 'from_Word passes words in registers' made
synthesise -o cores network.xml architecture.xml cores.xml
run 0 cores/words
mv output expected
[ "$(wc -l <expected)" = 500 ] || fail "$(wc -l <expected) lines" messages
programs='fused memory one'
if (use_cuda); then
    architecture core cuda >cuda.xml
    sed 's/"device"/"cuda"/' mapping.xml >on_cuda.xml
    (use_cuda && synthesise --explain -o cuda network.xml cuda.xml on_cuda.xml &&
        expect 'from_Word passes words in registers' made) || exit 1
    programs+=' cuda'
fi
for program in $programs; do
    ([ $program != cuda ] || use_cuda
        DAL_STATS=1 run 0 $program/words
        expect 'Word to Kernel, 6 processes, 500 rounds in' messages
        cmp output expected || fail "$program: other bytes") || exit 1
done

# ---- what only looks so ------------------------------------------------------------------------------

chain Source Word Apart Row Sink >network.xml
# looks REASON BODY [CHANNEL]: with this body of Apart, what it reads stays in memory, or another channel does.
looks() {
    portable Apart "$2"
    run 0 "$dalsynth" --check --explain network.xml architecture.xml mapping.xml
    expect 'launched as one on device: Word, Apart, Row' output
    expect "${3:-from_Word} passes words in ${1/#in /memory: apart_portable.c:}" output
}
# apart REASON STATEMENTS [CHANNEL], row REASON STATEMENTS [CHANNEL]: in a loop over a block's words
apart() { looks "$1" "DAL_foreach (b : PORT_out) {
for (int i = b; i < 16; i += BLOCK_out_COUNT) { $2 } }" "${3:-}"; }
row() { looks "$1" "DAL_foreach (b : PORT_out) {
for (int i = 0; i < 4; i++) { $2 } }" "${3:-}"; }

apart registers 'out[i] = in[i];'
row registers 'out[4 * b + i] = in[4 * b + i];'
apart "in 11: 'in[i ^ 1]' is not the work-item's own word" 'out[i] = in[i ^ 1];'
row "in 11: 'in[4 * b + 3]' is not the work-item's own word" 'out[4 * b + i] = in[4 * b + 3];'
row "in 11: 'in[3 * b + i]' is not the work-item's own word" 'out[4 * b + i] = in[3 * b + i];'
row "in 11: 'in[i]' is not the work-item's own word" 'out[4 * b + i] = in[i];'
apart "in 11: 'in[(unsigned char)i]' is not the work-item's own word" 'out[i] = in[(unsigned char)i];'
apart "in 11: 'in[k]' is not the work-item's own word" 'unsigned char k = i; out[i] = in[k];'
apart "in 11: 'in[(int)(float)i]' is not the work-item's own word" 'out[i] = in[(int)(float)i];'
apart "in 11: 'of(in, i)' uses the pointer itself" 'out[i] = of(in, i);'
apart "in 11: 'same[i]' is not the work-item's own word" 'DAL_WINDOW const unsigned *same = in + 1; out[i] = same[i];'
apart 'in 11: the words are not all of the token' 'DAL_WINDOW const unsigned short *half = (DAL_WINDOW const unsigned short *)in; out[i] = half[i];'
# A neighbour leaves what is written in registers; an output that is written in part leaves nothing, since blocks are
# done in another order.
apart registers 'out[i] = in[i ^ 1];' from_Apart
apart "in 11: 'out[i] = 1' is not always done" 'if (in[i] > 40) out[i] = 1;' from_Apart
apart "in 11: 'out[i] = 1' is not always done" 'if (in[i] > 40) out[i] = 1;'
apart "in 11: 'out[i] += in[i]' does more than take it" 'out[i] += in[i];'
apart "in 11: 'phase(p)' hands the process on" 'out[i] = in[i] + phase(p);'
looks "in 10: 'dal__read_end(0, p)' ends a window in front of its words" 'DAL_read_end(PORT_in, in, p);
DAL_foreach (b : PORT_out) { for (int i = b; i < 16; i += BLOCK_out_COUNT) out[i] = in[i]; }'
looks "in 12: 'here' is carried from word to word" 'DAL_foreach (b : PORT_out) { DAL_WINDOW const unsigned *here = in + 4 * b;
for (int i = 0; i < 4; i++)
out[4 * b + i] = *here++; }'
apart "in 11: 'in[i + 0 * n++]' is not the work-item's own word" 'int n = 1; out[i] = in[i + 0 * n++] + n;'
looks "in 11: 'sum' is carried from word to word" 'DAL_foreach (b : PORT_out) { unsigned sum = 0;
for (int i = b; i < 16; i += BLOCK_out_COUNT) { sum += in[i]; out[i] = sum; } }'
looks "in 11: 'f' is carried from word to word" 'DAL_foreach (b : PORT_out) { struct { unsigned z[2]; } f = {{0, 0}};
for (int i = b; i < 16; i += BLOCK_out_COUNT) { f.z[0] += in[i]; out[i] = f.z[0]; } }'
looks "in 11: 'for (int b = dal__first_block(1); b < 4; b += dal__step()) {...' stands beside the loop over words" 'DAL_foreach (b : PORT_out) { out[b] = in[b]; }
DAL_foreach (b : PORT_out) { out[b + 4] = in[b + 4]; }'
