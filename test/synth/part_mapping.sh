#!/usr/bin/env bash
# The mappings that parts name for themselves: they place what those around them are silent on, with the same bytes.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

for process in Low High Near Sink; do
    last='DAL_WRITE_TOKEN(out, &x, p);'
    [ $process != Sink ] || last='DAL_printf("%d\n", x);'
    cat >$process.c <<END
#include "dal.h"

int ${process}_fire(DALProcess *p)
{
    int x;
    DAL_READ_TOKEN(in, &x, p);
    x = x * 3 + ${#process};
    $last
    return 0;
}
END
done
cat >Source.c <<'END'
#include "dal.h"

struct _local_states {
    int sent;
};

int Source_fire(DALProcess *p)
{
    if (p->local->sent++ == 20)
        return 1;
    DAL_WRITE_TOKEN(out, &p->local->sent, p);
    return 0;
}
END
mkdir lib
mv Low.c High.c Near.c lib
# chain NAME FIRST SECOND ATTRIBUTES: a part of two processes
chain() {
    cat >"lib/$1.xml" <<END
<processnetwork name="$1" $4>
  <variable name="n" value="1"/>
  <port type="input" name="in" tokentype="int"/>
  <port type="output" name="out" tokentype="int"/>
  $2
  $3
  <channel from="in" to="A.in"/>
  <channel name="middle" from="A.out" to="B.in" type="int"/>
  <channel from="B.out" to="out"/>
</processnetwork>
END
}
chain inner '<process name="A" source="Low.c"/>' '<process name="B" source="High.c"/>' 'mapping="inner-map.xml"'
sed -i 's/name="A"/name="Low"/; s/name="B"/name="High"/; s/"A\./"Low./; s/"A\./"Low./; s/"B\./"High./' lib/inner.xml
chain outer '<process name="Near" source="Near.c"/>' '<network name="In" source="inner.xml" n="n + 1"/>' 'mapping="outer-map.xml"'
sed -i 's/"A\./"Near./; s/"B\./"In./' lib/outer.xml
cat >net.xml <<'END'
<processnetwork name="net">
  <process name="Source" source="Source.c"/>
  <iterator variable="i" range="2"><network name="P[i]" source="lib/outer.xml" n="i"/></iterator>
  <process name="Sink" source="Sink.c"/>
  <channel from="Source.out" to="P[0].in"/>
  <channel from="P[0].out" to="P[1].in"/>
  <channel from="P[1].out" to="Sink.in"/>
</processnetwork>
END
{
    echo '<architecture name="a">'
    for i in 0 1 2 3; do
        echo "<processor name=\"core_$i\" type=\"RISC\"><capability name=\"POSIX\" identifier=\"$i\"/></processor>"
    done
    echo '</architecture>'
} >cores.xml
# map FILE NETWORK PROCESS=CORE...: a mapping; the first binding of each has the same name
map() {
    local file=$1 network=$2 bound number=0
    shift 2
    echo "<mapping name=\"m\" processnetwork=\"$network\">" >"$file"
    for bound in "$@"; do
        echo "<binding name=\"b$number\"><process name=\"${bound%=*}\"/><processor name=\"${bound#*=}\"/></binding>" >>"$file"
        number=$((number + 1))
    done
    echo '</mapping>' >>"$file"
}
# placed PROCESS CORE...: that is where each is
placed() {
    run 0 "$dalsynth" --check --explain net.xml cores.xml map.xml
    while [ $# -gt 0 ]; do
        grep -qE "^ *$1 +.*\b$2\b" output || fail "$1 is not on $2" output
        shift 2
    done
}

# ---- who decides ---------------------------------------------------------------------------------

map map.xml net Source=core_0 Sink=core_0
# Ports of a part are none of the network: what its own mapping says of them has no meaning here.
map lib/inner-map.xml inner in=core_0 'Low=core_1' 'High=core_2'
map lib/outer-map.xml outer 'Near=core_3'
placed P_0.Near core_3 P_0.In.Low core_1 P_0.In.High core_2 P_1.Near core_3 P_1.In.Low core_1 P_1.In.High core_2
synthesise -o own net.xml cores.xml map.xml
run 0 own/net
mv output by-own

# A part's decides before that of the part within it, whatever its names say.
map lib/outer-map.xml outer 'Near=core_3' 'In.H*=core_0'
placed P_0.In.Low core_1 P_0.In.High core_0 P_1.In.High core_0

# What is outside decides before both.
map map.xml net Source=core_0 Sink=core_0 P_1.In.High=core_3 'P_0.In*=core_2'
placed P_0.In.Low core_2 P_0.In.High core_2 P_1.In.Low core_1 P_1.In.High core_3
synthesise -o mixed net.xml cores.xml map.xml
run 0 mixed/net
cmp by-own output || fail "other bytes" by-own output

map map.xml net '*=core_0' # and then a part's mapping may be for another machine
map lib/inner-map.xml inner 'Low=core_7' 'High=core_2'
placed P_0.In.Low core_0 P_1.In.High core_0
map map.xml net Source=core_0 Sink=core_0
refuse "lib/inner-map.xml:2: error: [unknown-processor] binding 'b0': the architecture has no processor 'core_7'" \
    net.xml cores.xml map.xml
expect ", in P_1.In of net.xml:3" messages
map lib/inner-map.xml inner 'High=core_2'
refuse "[unbound-process] mapping 'm' binds process 'P_1.In.Low' to no processor" net.xml cores.xml map.xml
map lib/inner-map.xml inner 'Low=core_1' 'High=core_2'

# ---- channels, variables, the queue --------------------------------------------------------------

# sizes WORD...: the sizes of the channels between Low and High
sizes() {
    run 0 "$dalsynth" --check --explain net.xml cores.xml map.xml
    for i in 0 1; do
        grep -E "^ *P_$i\.In\.middle .*\b$1\b" output >/dev/null || fail "P_$i.In.middle is not of $1 tokens" output
        shift
    done
}
sed -i 's|</mapping>|<channel name="middle" size="n * 100 + 7"/><channel name="in-Low.in" size="9"/><queue depth="3"/></mapping>|' lib/inner-map.xml
sizes 107 207
sed -i 's|</mapping>|<channel name="P_1.In.middle" size="33"/></mapping>|' map.xml
sizes 107 33
sed -i 's|</mapping>|<variable name="n" value="3"/></mapping>|' lib/inner-map.xml
refuse "[open-variable] variable 'n' has its value where the part is used" net.xml cores.xml map.xml
sed -i 's|<variable.*/></mapping>|</mapping>|' lib/inner-map.xml

# ---- what was made from them ---------------------------------------------------------------------

synthesise -o verified --depends=depends net.xml cores.xml map.xml
expect lib/inner-map.xml depends
expect lib/outer-map.xml depends
run 0 "$dalsynth" --verify=verified/net net.xml cores.xml map.xml
sed -i 's/core_1/core_0/' lib/inner-map.xml
run 1 "$dalsynth" --verify=verified/net net.xml cores.xml map.xml
expect "mapping (map.xml)" messages

# ---- a flat network has none; without a mapping outside, none is read ----------------------------

run 0 "$dalsynth" --expand net.xml
! grep -q 'mapping=' output || fail "a flat network names mappings of parts" output
run 0 "$dalsynth" --expand lib/inner.xml
expect '<processnetwork name="inner" mapping="inner-map.xml">' output
sed -i 's/name="net"/& mapping="map.xml"/' net.xml
run 0 "$dalsynth" --expand net.xml
expect '<processnetwork name="net" mapping="map.xml">' output
run 0 "$dalsynth" --check --explain net.xml cores.xml map.xml
mv output given
run 0 "$dalsynth" --check --explain net.xml cores.xml # that is the one which the network names
cmp given output || fail "it is not the mapping that the network names" given output
mv map.xml gone.xml
refuse "net.xml:1: error: [file] its mapping 'map.xml'" net.xml cores.xml
mv gone.xml map.xml
echo none >lib/inner-map.xml
refuse "lib/inner-map.xml" net.xml cores.xml map.xml
synthesise -o here net.xml
run 0 here/net
cmp by-own output || fail "other bytes on all cores" by-own output
echo "part_mapping: parts have mappings of their own, where nothing around them decides"
