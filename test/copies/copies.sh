#!/usr/bin/env bash
# Shadow copies of C processes: a stateless one is spread over the cores of its mapping, with its
# tokens in order; one that keeps state is refused, and it is said where the state is.
set -euo pipefail

work=$(mktemp -d "${TMPDIR:-/tmp}/dal-copies.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
dalsynth=${DAL_BUILDDIR:?}/synth/dalsynth

cat >architecture.xml <<'END'
<architecture name="two">
  <processor name="core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>
  <processor name="core_1" type="RISC"><capability name="POSIX" identifier="1"/></processor>
</architecture>
END
cat >mapping.xml <<'END'
<mapping name="pool" processnetwork="copies">
  <binding name="all"><process name="*"/><processor name="core_*"/></binding>
</mapping>
END
cat >source.c <<'END'
#include "dal.h"
struct _local_states { int next; };
int Source_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->next, sizeof(int), p);
    return ++p->local->next == 20000;
}
END
cat >work.c <<'END'
#include "dal.h"
int Work_fire(DALProcess *p)
{
    int number, k;
    DAL_read(PORT_in, &number, sizeof(number), p);
    for (k = 0; k < number % 50; k++)
        __asm__ volatile("" ::: "memory"); /* not all take the same time */
    number *= 3;
    DAL_write(PORT_out, &number, sizeof(number), p);
    return 0;
}
END
sed -e 's/^int Work_fire/struct _local_states { int k; };\n&/' work.c >stateful.c
cat >sink.c <<'END'
#include "dal.h"
struct _local_states { int next, wrong; };
int Sink_fire(DALProcess *p)
{
    int number;
    DAL_read(PORT_in, &number, sizeof(number), p);
    p->local->wrong += number != 3 * p->local->next++;
    return 0;
}
void Sink_finish(DALProcess *p)
{
    DAL_printf("%d tokens, %d out of place\n", p->local->next, p->local->wrong);
}
END

channel() { # NAME FROM PORT TO PORT [ATTRIBUTES]
    printf '<sw_channel type="fifo" name="%s" size="16" tokensize="4" %s>' "$1" "${6:-}"
    printf '<port type="input" name="in"/><port type="output" name="out"/></sw_channel>\n'
    printf '<connection name="to_%s"><origin name="%s"><port name="%s"/></origin>' "$1" "$2" "$3"
    printf '<target name="%s"><port name="in"/></target></connection>\n' "$1"
    printf '<connection name="from_%s"><origin name="%s"><port name="out"/></origin>' "$1" "$1"
    printf '<target name="%s"><port name="%s"/></target></connection>\n' "$4" "$5"
}

network() { # SOURCE-OF-WORK [PORTS] [CHANNELS]
    cat <<END
<processnetwork name="copies">
  <process name="Source" type="io"><port type="output" name="out"/>
    <source id="0" type="c" location="source.c"/></process>
  <process name="Work" type="local" shadowcopies="4" stateless="true">
    <port type="input" name="in"/><port type="output" name="out"/>${2:-}
    <source id="0" type="c" location="$1"/></process>
  <process name="Sink" type="io"><port type="input" name="in"/>
    <source id="0" type="c" location="sink.c"/></process>
  $(channel there Source out Work in)
  $(channel back Work out Sink in)
  ${3:-}
</processnetwork>
END
}

expect() { # TEXT FILE
    grep -qF "$1" "$2" || {
        echo "missing: $1"
        cat "$2"
        exit 1
    }
}

network work.c >network.xml
"$dalsynth" --explain -o out network.xml architecture.xml mapping.xml >explained
grep -qE '^Work +core_0,core_1 +c +work.c +Work_fire +1 +2 ' explained || { cat explained; exit 1; }
out/copies >output
expect "20000 tokens, 0 out of place" output

network stateful.c >network.xml
if "$dalsynth" -o refused network.xml architecture.xml mapping.xml 2>messages; then
    echo "copies of a process with state are not refused"
    exit 1
fi
expect "network.xml:6: error: [stateful]" messages

network work.c '<port type="input" name="before"/><port type="output" name="after"/>' \
    "$(channel state Work after Work before 'initialtokens="1"')" >network.xml
if "$dalsynth" -o refused network.xml architecture.xml mapping.xml 2>messages; then
    echo "copies of a process with a channel to itself are not refused"
    exit 1
fi
expect "network.xml:4: error: [stateful]" messages
[ ! -e refused ]
echo "1 process copied, 2 refused"
