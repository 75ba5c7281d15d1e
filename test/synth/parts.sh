#!/usr/bin/env bash
# Networks within a network are the flat network: the same processes, sizes, plan and bytes, on cores and on a device. A mapping
# names them, and so do parameters of the program and messages. A changed file of a part is noticed.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

mkdir lib
cat >lib/eq.xml <<'END'
<processnetwork name="eq">
  <variable name="bands" value="2"/>
  <port type="input" name="samples" tokentype="float"/>
  <port type="output" name="mixed" tokentype="float"/>
  <iterator variable="i" range="bands">
    <process name="Band[i]" source="band.c band.cl">
      <parameter name="gain" value="${i + 1}"/>
    </process>
    <channel from="samples" to="Band[i].in"/>
    <channel from="Band[i].out" to="Mix.in[i]" type="float"/>
  </iterator>
  <process name="Mix" source="mix.c" include="inc"/>
  <channel from="Mix.out" to="mixed"/>
</processnetwork>
END
cat >lib/pair.xml <<'END'
<processnetwork name="pair">
  <variable name="n" value="2"/>
  <port type="input" name="in"/>
  <port type="output" name="out"/>
  <network name="First" source="eq.xml" bands="n"/>
  <network name="Second" source="eq.xml" bands="n + 1"><parameter name="Band_0.gain" value="${n * 100}"/></network>
  <channel from="in" to="First.samples"/>
  <channel from="First.mixed" to="Second.samples" value="float: 5 6"/>
  <channel from="Second.mixed" to="out"/>
</processnetwork>
END
cat >lib/band.c <<'END'
#include "dal.h"

int Band_fire(DALProcess *p)
{
    float x;
    long gain;
    DAL_getParameterInt("gain", &gain, p);
    DAL_read(PORT_in, &x, sizeof(x), p);
    x *= (float)gain;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
END
cat >lib/band.cl <<'END'
__kernel void Band(__global const float *in, __global float *out, int gain)
{
    size_t firing = get_group_id(0);

    if (get_local_id(0) == 0)
        out[firing] = in[firing] * (float)gain;
}
END
mkdir lib/inc
echo '#define NOTHING 0' >lib/inc/nothing.h
cat >lib/mix.c <<'END'
#include "dal.h"
#include "nothing.h"

int Mix_fire(DALProcess *p)
{
    float sum = NOTHING, x;
    for (int i = 0; i < VAR_bands; i++) {
        CREATEPORTVAR(port);
        CREATEPORT(port, "in", 1, i, VAR_bands);
        DAL_read(port, &x, sizeof(x), p);
        sum += x;
    }
    DAL_write(PORT_out, &sum, sizeof(sum), p);
    return 0;
}
END
cat >source.c <<'END'
#include "dal.h"

struct _local_states {
    int sent;
};

int Source_fire(DALProcess *p)
{
    float x = (float)p->local->sent;
    if (p->local->sent++ == 50)
        return 1;
    DAL_write(PORT_left, &x, sizeof(x), p);
    DAL_write(PORT_right, &x, sizeof(x), p);
    return 0;
}
END
cat >sink.c <<'END'
#include "dal.h"
#include <stdio.h>

int Sink_fire(DALProcess *p)
{
    float a, b;
    DAL_read(PORT_left, &a, sizeof(a), p);
    DAL_read(PORT_right, &b, sizeof(b), p);
    printf("%g %g\n", a, b);
    return 0;
}
END

# ---- a network of networks, and the same by hand ---------------------------------------------------

cat >parts.xml <<'END'
<processnetwork name="net">
  <process name="Source" source="source.c"/>
  <iterator variable="i" range="2">
    <network name="P[i]" source="lib/pair.xml" n="i + 1">
      <parameter name="Second.Mix.nothing" value="0"/>
    </network>
  </iterator>
  <process name="Sink" source="sink.c"/>
  <channel from="Source.left" to="P[0].in"/>
  <channel from="Source.right" to="P[1].in"/>
  <channel from="P[0].out" to="Sink.left"/>
  <channel from="P[1].out" to="Sink.right"/>
</processnetwork>
END
refuse "network 'P_0' has no process with a parameter 'Second.Mix.nothing'" parts.xml
sed 's/Mix" source="mix.c" include="inc"\/>/Mix" source="mix.c" include="inc"><parameter name="of.all" value="1"\/><\/process>/' lib/eq.xml >lib/dotted.xml
sed 's/eq.xml/dotted.xml/' lib/pair.xml >lib/other.xml
sed 's/pair.xml/other.xml/; s/Mix.nothing/Mix.of.all/' parts.xml >x.xml
run 0 "$dalsynth" --expand x.xml
[ "$(grep -c 'name="of.all" value="0"' output)" = 2 ] || fail "a parameter with a dot was not set" output
sed -i '/nothing/d' parts.xml

# flat_eq NAME BANDS GAIN FEEDER VALUE: what eq.xml is there.
flat_eq() {
    local i gain
    for ((i = 0; i < $2; i++)); do
        gain=$((i + 1))
        [ "$i" != 0 ] || gain=$3
        cat <<END
  <process name="$1Band_$i" source="lib/band.c lib/band.cl"><parameter name="gain" value="$gain"/></process>
  <channel from="$4" to="$1Band_$i.in" type="float" ${5:-}/>
  <channel from="$1Band_$i.out" to="$1Mix.in_$i" type="float"/>
END
    done
    echo "  <process name=\"$1Mix\" source=\"lib/mix.c\" include=\"lib/inc\" cflags=\"-DVAR_bands=$2\"/>"
}
{
    echo '<processnetwork name="net">'
    echo '  <process name="Source" source="source.c"/>'
    flat_eq A 1 1 Source.left
    flat_eq B 2 100 AMix.out 'value="float: 5 6"'
    flat_eq C 2 1 Source.right
    flat_eq D 3 200 CMix.out 'value="float: 5 6"'
    echo '  <process name="Sink" source="sink.c"/>'
    echo '  <channel from="BMix.out" to="Sink.left" type="float"/>'
    echo '  <channel from="DMix.out" to="Sink.right" type="float"/>'
    echo '</processnetwork>'
} >flat.xml
cat >cores.xml <<'END'
<architecture name="a">
  <processor name="core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>
  <processor name="core_1" type="RISC"><capability name="POSIX" identifier="1"/></processor>
</architecture>
END
# map FILE FIRST: what FIRST names on one core, the rest on the other
map() {
    cat >"$1" <<END
<mapping name="m" processnetwork="net">
  <binding name="first"><process name="$2"/><processor name="core_0"/></binding>
  <binding name="rest"><process name="*"/><processor name="core_1"/></binding>
</mapping>
END
}
map parts-map.xml '*.First.*'
map flat-map.xml '[AC]?*'
synthesise -o parts parts.xml cores.xml parts-map.xml
synthesise -o flat flat.xml cores.xml flat-map.xml
run 0 parts/net
mv output by-parts
run 0 flat/net
cmp by-parts output || fail "other bytes than the flat network" by-parts output
[ "$(wc -l <by-parts)" = 52 ] || fail "not all tokens came" by-parts

# The same processes, verdicts and sizes.
"$dalsynth" --list=processes parts.xml | sed 's/P_0\.First\./A/; s/P_0\.Second\./B/; s/P_1\.First\./C/; s/P_1\.Second\./D/' >a
"$dalsynth" --list=processes flat.xml >b
cmp a b || fail "other processes" a b
for kind in parts flat; do
    "$dalsynth" --analyze $kind.xml 2>/dev/null | grep -E '^(capacities|minimum|fastest|period|latency)' >$kind.verdict
    "$dalsynth" --analyze $kind.xml 2>/dev/null | awk '/ -> / { $1 = $2 = $3 = $4 = ""; print }' | sort >$kind.sizes
done
cmp parts.verdict flat.verdict || fail "another verdict" parts.verdict flat.verdict
cmp parts.sizes flat.sizes || fail "other sizes" parts.sizes flat.sizes

# ---- names ---------------------------------------------------------------------------------------

run 0 parts/net -p P_0.Second.Band_1.gain=0
head -n 3 output | tail -n 1 | grep -q '^0 ' || fail "a parameter within parts was not set" output
run 0 parts/net -p P_1.Second.Band.gain=0
[ "$(awk '{ print $2 }' output | sort -u)" = 0 ] || fail "a parameter of all bands of a part was not set" output
run 2 parts/net -p P_1.Second.Bund.gain=0
expect "no process P_1.Second.Bund" messages
run 2 parts/net -p Band.gain=0
sed 's/n + 1"/n + nix"/' lib/pair.xml >lib/other.xml
sed 's/pair.xml/other.xml/' parts.xml >x.xml
refuse "bands: there is no variable 'nix', in P_0 of x.xml:4" x.xml
sed 's/from="samples" to/from="samples" tokensize="8" to/' lib/eq.xml >lib/eight.xml
sed 's/eq.xml/eight.xml/' lib/pair.xml >lib/other.xml
refuse "type float, in P_1.Second of x.xml:4" x.xml

# Times are of a process by its whole name, or of all of its name in all parts.
echo '{"Source": 1, "Band": 2, "Mix": 3, "P_1.Second.Mix": 4000, "Sink": 5}' >times.json
run 0 "$dalsynth" --analyze --times=times.json parts.xml
expect "latency: 4007 time units" output
DAL_TIMES=measured.json run 0 parts/net
run 0 "$dalsynth" --check --explain --times=measured.json parts.xml cores.xml parts-map.xml
! grep -q "without the times" output || fail "measured times of parts are not taken" output

# ---- what was made from them ---------------------------------------------------------------------

run 0 "$dalsynth" --verify=parts/net parts.xml cores.xml parts-map.xml
sed -i 's/i + 1}/i + 2}/' lib/eq.xml
run 1 "$dalsynth" --verify=parts/net parts.xml cores.xml parts-map.xml
sed -i 's/i + 2}/i + 1}/' lib/eq.xml

# The long form of a part and the short form of that are the same part.
run 0 "$dalsynth" --expand lib/eq.xml
mv output lib/long.xml
run 0 "$dalsynth" --shorten lib/long.xml
mv output lib/short.xml
for form in long short; do
    sed "s/eq.xml/$form.xml/" lib/pair.xml >lib/other.xml
    synthesise -o $form x.xml cores.xml parts-map.xml
    run 0 $form/net
    cmp by-parts output || fail "other bytes of the $form form" by-parts output
done

# A parameter is an attribute, too: with the same value, line and messages. The short form has it so.
within='Second" source="eq.xml" bands="n + 1"'
sed "s/$within>.*<\/network>/$within Band_0.gain=\"\${n * 100}\"\/>/" lib/pair.xml >lib/other.xml
grep -q 'Band_0.gain="' lib/other.xml || fail "no parameter is an attribute" lib/other.xml
synthesise -o attribute x.xml cores.xml parts-map.xml
run 0 attribute/net
cmp by-parts output || fail "a parameter as an attribute has another value" output
run 0 "$dalsynth" --shorten lib/pair.xml
expect 'bands="n + 1" Band_0.gain="${n * 100}"/>' output
wrong() {
    sed "s/$within>.*<\/network>/$within $1/" lib/pair.xml >lib/other.xml
    refuse "$2" x.xml
}
wrong 'Band_0.gain="1"><parameter name="Band_0.gain" value="2"\/><\/network>' "lib/other.xml:6: error: [duplicate-name] parameter 'Band_0.gain': this name is taken"
wrong 'Band_0.gian="1"\/>' "lib/other.xml:6: error: [part] network 'P_0.Second' has no process with a parameter 'Band_0.gian'"
sed 's/bands="n + 1"/bands="${n + 1}"/' lib/pair.xml >lib/other.xml
refuse 'an expression stands here without ${ }, not '"'\${n + 1}'" x.xml
wrong 'Band_9.gain="1"\/>' "lib/other.xml:6: error: [part] network 'P_0.Second' has no process with a parameter 'Band_9.gain'"

# ---- the flat network of --expand ----------------------------------------------------------------

run 0 "$dalsynth" --expand parts.xml
mv output expanded.xml
! grep -qE '<(network|variable|iterator)' expanded.xml || fail "it is not flat" expanded.xml
expect 'name="P_1.Second.Band"' expanded.xml
synthesise -o expanded expanded.xml cores.xml parts-map.xml
run 0 expanded/net
cmp by-parts output || fail "other bytes of the flat network" by-parts output
run 0 expanded/net -p P_1.Second.Band.gain=0
[ "$(awk '{ print $2 }' output | sort -u)" = 0 ] || fail "a parameter of all bands of a flat part was not set" output
"$dalsynth" --analyze expanded.xml 2>/dev/null | grep -E '^(capacities|minimum|fastest|period|latency)' >expanded.verdict
cmp parts.verdict expanded.verdict || fail "another verdict of the flat network" parts.verdict expanded.verdict
for what in processes channels parameters; do
    "$dalsynth" --list=$what parts.xml >a
    "$dalsynth" --list=$what expanded.xml >b
    cmp a b || fail "other $what of the flat network" a b
done
for said in "true 2" "false 0"; do # what is said where the part is used goes before what the part says
    sed "s|n=\"i + 1\">|&<parameter name=\"Second.Band_0.gain\" value=\"7\" live=\"${said% *}\"/>|" parts.xml >x.xml
    run 0 "$dalsynth" --expand x.xml
    [ "$(grep 'value="7"' output | grep -c live)" = "${said#* }" ] || fail "live=\"${said% *}\" has no effect" output
    sed -i 's/name="gain"/& live="true"/' lib/eq.xml
done
sed -i 's/ live="true"//g' lib/eq.xml
run 0 "$dalsynth" --expand expanded.xml
cmp output expanded.xml || fail "it is another one when it is expanded again" output
run 0 "$dalsynth" --expand lib/pair.xml # which is a part, so it stays one
expect '<network name="First" source="eq.xml"' output
cat >lib/wide.xml <<'END'
<processnetwork name="wide">
  <iterator variable="i" range="2">
    <port type="input" name="in[i]"/>
    <port type="output" name="out[i]"/>
    <network name="Eq[i]" source="eq.xml"/>
    <channel from="in[i]" to="Eq[i].samples"/>
    <channel from="Eq[i].mixed" to="out[i]"/>
  </iterator>
</processnetwork>
END
run 0 "$dalsynth" --expand lib/wide.xml # likewise
mv output lib/wide-long.xml
run 0 "$dalsynth" --expand lib/wide-long.xml
cmp output lib/wide-long.xml || fail "a part with ports in an iterator is not read again" output
long=$(printf 'x%.0s' {1..60})
sed "s/P\[i\]/${long}[i]/; s/name=\"P/name=\"$long/; s/P\[\([01]\)\]/${long}[\1]/" parts.xml >x.xml
sed 's/First/Quite_a_long_name_of_a_part_which_has_some_more_to_it/g' lib/pair.xml >lib/longer.xml
sed -i 's/pair.xml/longer.xml/' x.xml
run 1 "$dalsynth" --expand x.xml
expect "has more than 100 characters" messages

# ---- many ----------------------------------------------------------------------------------------

cat >many.xml <<'END'
<processnetwork name="many">
  <process name="Source" source="source.c"/>
  <iterator variable="i" range="10000"><network name="Eq[i]" source="lib/eq.xml" bands="1"/></iterator>
  <iterator variable="i" range="9999"><channel from="Eq[i].mixed" to="Eq[i + 1].samples"/></iterator>
  <process name="Sink" source="sink.c"/>
  <channel from="Source.left" to="Eq[0].samples"/>
  <channel from="Eq[9999].mixed" to="Sink.left"/>
</processnetwork>
END
run 0 "$dalsynth" --list=processes many.xml
[ "$(wc -l <output)" = 20002 ] || fail "10,000 parts are not all there" output
echo "parts: the flat network's bytes and sizes; 10,000 of them"
