#!/usr/bin/env bash
# What reading an input costs grows with its size, not with the square of it: of each kind of input, four times as much
# takes no more than eight times the processor. What would still grow is refused by a limit.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

touch a.c
source_c='<source type="c" location="a.c"/>'
processes() { # N
    echo '<processnetwork name="n">'
    awk -v n="$1" -v s="$source_c" 'BEGIN { for (i = 0; i < n; i++) printf "<process name=\"p%d\">%s</process>\n", i, s }'
}

# ---- kinds of inputs: make_KIND N -----------------------------------------------------------------

# An output with many readers, whose channels are connected from the last to the first.
make_readers() {
    processes $(($1 + 1))
    awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++) printf "<channel from=\"p0.o\" to=\"p%d.i\"/>\n", i
                           print "</processnetwork>" }'
}
# Two processes with many channels between them, each of which declares its ports.
make_ports() {
    processes 2
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "<channel from=\"p0.o%d\" to=\"p1.i[%d]\"/>\n", i, i
                           print "</processnetwork>" }'
}
# Names that iterators look up among all variables of a file.
make_variables() {
    processes 1
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "<variable name=\"v%d\" value=\"%s\"/>\n", i, i ? "v" i - 1 "+1" : "1"
                           for (e = i = "v0"; i < 20; i++) e = e "*v0"
                           printf "<iterator variable=\"i\" range=\"%d\"><process name=\"q\"><append function=\"i*%s\"/>", 8 * n, e }'
    echo "$source_c</process></iterator></processnetwork>"
}
# Names that are not there, each with a search for what may be meant.
make_unknown() {
    processes "$1"
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "<channel from=\"p%d.o\" to=\"q%d.i\"/>\n", i, i
                           print "</processnetwork>" }'
}
# Elements that the schema does not know.
make_violations() {
    processes 1
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) print "<process name=\"x\" nonsense=\"1\"/>"
                           print "</processnetwork>" }'
}
# Loops that are live by phases and not by cycles: which of their processes are fired so is found out.
make_loops() {
    cat <<END_XML
<processnetwork name="n"><iterator variable="i" range="$1">
<process name="S[i]" source="a.c"/><process name="A[i]" source="a.c"/><process name="B[i]" source="a.c"/>
<channel from="S[i].out" to="A[i].in" tokenratein="1500" tokenrateout="1,2"/>
<channel from="A[i].f" to="B[i].f" tokenratein="1,2" tokenrateout="1,2"/>
<channel from="B[i].b" to="A[i].b" tokenratein="1,2" tokenrateout="1,2" initialtokens="2"/>
</iterator></processnetwork>
END_XML
}

# A chain of processes whose functions are all in one source.
make_functions() {
    seq "$1" | sed 's/.*/int P&_fire(DALProcess *p) { return p == 0; }/; 1i #include "dal.h"' >many.c
    echo '<processnetwork name="n">'
    seq "$1" | sed 's|.*|<process name="P&" source="many.c"/>|'
    seq $(($1 - 1)) | awk '{ printf "<channel from=\"P%d.out\" to=\"P%d.in\" tokensize=\"4\"/>\n", $1, $1 + 1 }'
    echo '</processnetwork>'
}

# ---- what they cost ------------------------------------------------------------------------------

how=--list=processes
cost() { # FILE: in milliseconds of processor
    local TIMEFORMAT='%U %S'
    { time { timeout 300 "$dalsynth" "$how" "$1" >output 2>messages || true; }; } 2>&1 |
        awk '{ printf "%d", 1000 * ($1 + $2) }'
}

grows() { # KIND N [TIMES]
    local small large
    for _ in 1 2 3; do
        "make_$1" "$2" >small.xml
        small=$(cost small.xml)
        "make_$1" $((${3:-4} * $2)) >large.xml
        large=$(cost large.xml)
        echo "$1: $small ms, $large ms"
        [ "$large" -gt $((8 * small + 100)) ] || return 0
    done
    fail "$1: $small ms, and $large ms for ${3:-4} times as much" messages
}
grows readers 3000
grows ports 1000
grows variables 1000
grows unknown 2000
grows violations 1000 20 # most are only counted
printf '#include "dal.h"\n' >a.c
printf 'int %s_fire(DALProcess *p)\n{\n    return p != 0;\n}\n' S A B >>a.c
how=--check
grows loops 100
grows functions 200 8

# ---- limits --------------------------------------------------------------------------------------

# limited TEXT: an error says this, long before the harness's own limit, which the square would reach
limited() {
    run 1 timeout 300 "$dalsynth" --check large.xml
    expect "$1" messages
}
{
    echo '<processnetwork name="n"><!-- a="1" is no attribute here -->'
    awk 'BEGIN { printf "<process name=\"p\"\n"; for (i = 0; i < 300000; i++) printf " a%d=\"1\"", i }'
    echo '/></processnetwork>'
} >large.xml
limited 'large.xml:2: error: [file] an element has more than 256 attributes'
iconv -f UTF-8 -t UTF-16 large.xml >wide.xml
mv wide.xml large.xml
limited 'large.xml:2: error: [file] an element has more than 256 attributes'
