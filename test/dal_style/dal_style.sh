#!/usr/bin/env bash
# Sources and specifications as public DAL applications have them, unchanged: namespaces, sizes in
# bytes, headers of the processes' own, constants that a generator made, windows and DAL_foreach.
# What DAL has and this does not is refused where it stands.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp -r "$input/." .
chmod -R u+w .

# refused FILE SED-SCRIPT TEXT: the change to a source is refused with this text
refused() {
    cp "$1" kept
    sed -i "$2" "$1"
    cmp -s "$1" kept && fail "the change to $1 changes nothing"
    refuse "$3" network.xml architecture.xml mapping.xml
    mv kept "$1"
}

# What is computed here: pairs of numbers, every third one to each of three processes that multiply
# by 1, 2, 3; the pairs come out side by side.
awk 'BEGIN {
    for (round = 0; round < 5; round++)
        for (lane = 0; lane < 3; lane++) {
            a = (6 * round + lane) * (lane + 1); b = a + 3 * (lane + 1); sum += a + b
            printf "consumer: %d %d\n", a, b
        }
    printf "consumer: 30 numbers, sum %d, index -1\n", sum
}' >expected

sed 's/"core_1"/"core_0"/' mapping.xml >one.xml
for mapping in mapping one; do
    synthesise -o "$mapping" network.xml architecture.xml "$mapping.xml"
    [ ! -s made ] || fail "$mapping: warnings" made
    run 0 "$mapping/APP1"
    grep -qx 'scatter: 10 rounds' output || fail "$mapping: no rounds" output
    grep -v '^scatter' output | diff - expected || fail "$mapping: other numbers"
done

refused src/scatter.c 's/p->local->round++;/& DAL_create_checkpoint(p->local, 4, "c", p);/' \
    "src/scatter.c:22:24: error: [source-build] call to 'DAL_create_checkpoint' declared with attribute error: checkpoints of DAL are not supported"
refused src/scale.h 's/typedef float TOKEN_in_t/typedef double TOKEN_in_t/' \
    "src/scale.c:1:1: error: [source-build] static assertion failed: \"port in: the constants of the source are not"
refused src/scale.h 's/TOKEN_out_RATE *(2)/TOKEN_out_RATE (3)/' \
    "src/scale.c:2:1: error: [source-build] static assertion failed: \"port out: the constants of the source are not"

# As backends of dataflow compilers write networks: in DAL's namespace, with ports that are numbers, and connections that
# begin with one.
mkdir numbers
cat >numbers/top.xml <<'END_XML'
<processnetwork xmlns="http://www.tik.ee.ethz.ch/~euretile/schema/PROCESSNETWORK" name="top">
<process name="A" type="io"><port type="output" name="0"/><source type="c" location="A.c"/></process>
<process name="B" type="io"><port type="input" name="0"/><port type="input" name="1"/><source type="c" location="B.c"/></process>
<sw_channel type="fifo" initialtokens="0" tokensize="4" size="64" name="C0"><port type="input" name="0"/><port type="output" name="1"/></sw_channel>
<sw_channel type="fifo" initialtokens="0" tokensize="4" size="64" name="C1"><port type="input" name="0"/><port type="output" name="1"/></sw_channel>
<connection name="C0-0"><origin name="C0"><port name="1"/></origin><target name="B"><port name="0"/></target></connection>
<connection name="0-C0"><origin name="A"><port name="0"/></origin><target name="C0"><port name="0"/></target></connection>
<connection name="C1-1"><origin name="C1"><port name="1"/></origin><target name="B"><port name="1"/></target></connection>
<connection name="0-C1"><origin name="A"><port name="0"/></origin><target name="C1"><port name="0"/></target></connection>
</processnetwork>
END_XML
cat >numbers/A.c <<'END_C'
#include "dal.h"
struct _local_states { int n; };
int A_fire(DALProcess *p)
{
    int x = p->local->n++;
    if (x == 100)
        return 1;
    DAL_write((void *)"0", &x, sizeof(x), p);
    return 0;
}
END_C
cat >numbers/B.c <<'END_C'
#include "dal.h"
struct _local_states { int sum; };
int B_fire(DALProcess *p)
{
    int x, y;
    DAL_read((void *)"0", &x, sizeof(x), p);
    DAL_read((void *)"1", &y, sizeof(y), p);
    p->local->sum += x + y;
    return 0;
}
void B_finish(DALProcess *p) { DAL_printf("B %d\n", p->local->sum); }
END_C
synthesise -o numbers/made numbers/top.xml
run 0 numbers/made/top
[ "$(cat output)" = "B 9900" ] || fail "ports that are numbers" output
for form in --expand --shorten; do
    run 0 "$dalsynth" $form numbers/top.xml
    cp output numbers/again.xml
    synthesise --check numbers/again.xml
done
# In no namespace they are what they were: names of C.
sed -i 's/ xmlns="[^"]*"//' numbers/top.xml
refuse "this must be a name of letters, digits and _, not starting with a digit" numbers/top.xml
echo "2 mappings of one application, 3 changes refused, ports that are numbers"
