#!/usr/bin/env bash
# A program says what it was made from, and dalsynth whether that is still so, by name of what differs: of one network,
# with variables, sources and initial tokens, and of a state machine.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cat >source.c <<'END'
#include "dal.h"
int Source_fire(DALProcess *p)
{
    int token = N;
    DAL_write(PORT_out, &token, sizeof(token), p);
    return 1;
}
END
cat >sink.c <<'END'
#include "dal.h"
int Sink_fire(DALProcess *p)
{
    int token;
    DAL_read(PORT_in, &token, sizeof(token), p);
    return 0;
}
END
printf abcd >data.bin
cat >network.xml <<END
<processnetwork name="chain"><variable name="n" value="3"/>
<process name="Source"><port type="output" name="out"/><source type="c" location="source.c" cflags="-DN=1"/></process>
<process name="Sink" type="io"><port type="input" name="in"/><source type="c" location="sink.c"/></process>
$(channel numbers Source out Sink in 'initialtokens="1" tokensize="4" data="data.bin"')
</processnetwork>
END
architecture core_0 core_1 >architecture.xml
mapping "* - core_0" >mapping.xml
files=(network.xml architecture.xml mapping.xml)
synthesise -o out "${files[@]}"

# ---- one network -----------------------------------------------------------------------------------------------------

run 0 out/chain --version
sed -e 's/(dal .*)/(dal VERSION)/' -e 's/[0-9a-f]\{32\}/DIGEST/' output | diff - <(cat <<'END'
chain (dal VERSION)
network chain, made from:
  DIGEST  architecture: architecture.xml
  DIGEST  network: network.xml
  DIGEST  mapping: mapping.xml
  DIGEST  variables:
  DIGEST  sources:
END
) || fail "another version"
[ "$(grep -o '[0-9a-f]\{32\}' output | sort -u | wc -l)" -eq 5 ] || fail "digests are the same" output
digest=$(sha256sum network.xml | cut -c 1-32)
expect "$digest  network: network.xml" output

# verify STATUS TEXT ARGUMENT...
verify() {
    run "$1" "$dalsynth" --verify=out/chain "${@:3}"
    expect "$2" "$([ "$1" -eq 0 ] && echo output || echo messages)"
}

# differs WHAT COMMAND...: so it does after the command, which is undone; and nothing else does.
differs() {
    mkdir kept
    cp ./*.xml ./*.c data.bin kept
    "${@:2}"
    verify 1 "dalsynth: error: out/chain was made from other bytes: $1" "${files[@]}"
    [ "$(wc -l <messages)" -eq 1 ] || fail "more differs than $1" messages
    cp kept/* .
    rm -r kept
}

verify 0 'out/chain was made from this' "${files[@]}"
(cd out && run 0 "$dalsynth" --verify=chain ../network.xml ../architecture.xml ../mapping.xml)
verify 0 'out/chain was made from this' -D n=3 "${files[@]}"
verify 1 'made from other bytes: variables' -D n=4 "${files[@]}"
differs 'network (network.xml)' sed -i '1s/^/\n/' network.xml
differs 'architecture (architecture.xml)' sed -i 's/core_1/core_2/' architecture.xml
differs 'mapping (mapping.xml)' sed -i 's/core_0/core_1/' mapping.xml
differs sources sed -i 's/return 0/return 1/' sink.c
differs sources sh -c 'printf abce >data.bin'
verify 0 'out/chain was made from this' "${files[@]}"
# The names of files do not matter.
mv mapping.xml other.xml
verify 0 'out/chain was made from this' network.xml architecture.xml other.xml
mv other.xml mapping.xml

# What is no such program, or none, and a wrong command line.
run 1 "$dalsynth" --verify=/bin/true "${files[@]}"
expect '/bin/true --version does not say what it was made from' messages
run 1 "$dalsynth" --verify=nothing "${files[@]}"
run 2 "$dalsynth" --verify= "${files[@]}"
run 2 "$dalsynth" --verify=out/chain --shorten network.xml
check "one network" 0

# ---- what options of sources find ------------------------------------------------------------------------------------

mkdir -p nets/inc nets/i nets/part/own
cd nets || exit 1
cat >net.xml <<'END'
<processnetwork name="net">
  <port type="output" name="out" tokensize="8"/>
  <process name="Source" source="source.c" include="inc" libs="libkk.a @libraries" cflags="-I. @opts"/>
  <network name="Part" source="part/part.xml"/>
  <channel from="Source.out" to="Part.in" type="int"/>
  <channel from="Part.out" to="out" type="struct pair" header="pair.h"/>
</processnetwork>
END
cat >part/part.xml <<'END'
<processnetwork name="part">
  <port type="input" name="in" tokentype="int"/>
  <port type="output" name="out" tokensize="8"/>
  <process name="Pair" source="pair.c" include="own"/>
  <channel from="in" to="Pair.in"/>
  <channel from="Pair.out" to="out"/>
</processnetwork>
END
cat >source.c <<'END'
#include "dal.h"
#include "k.h"
#include <i/angle.h>
#include <system.h>
int kk(void), ll(void);
int Source_fire(DALProcess *p)
{
    int token = K + ANGLE + FIRST + SYSTEM + kk() + ll();
    DAL_WRITE_TOKEN(out, &token, p);
    return 1;
}
END
cat >part/pair.c <<'END'
#include "dal.h"
#include "pair_of.h"
int Pair_fire(DALProcess *p)
{
    int token[2] = {ONE, 1};
    DAL_read(PORT_in, token, sizeof(int), p);
    DAL_write(PORT_out, token, sizeof(token), p);
    return 0;
}
END
echo '#include "deep.h"' >inc/k.h
echo '#define K 1' >inc/deep.h
echo '#define ANGLE 1' >i/angle.h
echo '#define FIRST 1' >i/first.h
echo '#define SYSTEM 1' >i/system.h
echo '#define ONE 1' >part/own/pair_of.h
echo 'struct pair { int a, b; };' >pair.h
echo '-include i/first.h @others' >opts
echo '-isystem i' >others
echo '-L. -lll' >libraries
for name in kk ll; do
    echo "int $name(void); int $name(void) { return 1; }" >$name.inc
    "${CC:-cc}" -x c -c -o $name.o $name.inc && ar rc lib$name.a $name.o || fail "no lib$name.a"
done
run 0 "$dalsynth" --library --depends=rule -o out net.xml
for file in opts others libraries libll.a i/first.h; do expect "$file:" rule; done
run 0 "$dalsynth" --verify=out/net net.xml
for file in inc/k.h inc/deep.h i/angle.h i/first.h i/system.h part/own/pair_of.h pair.h libkk.a libll.a opts others libraries; do
    cp $file kept
    echo >>$file
    run 1 "$dalsynth" --verify=out/net net.xml
    expect 'out/net was made from other bytes: sources' messages
    cp kept $file
done
echo '#define K 9' >i/k.h # the compiler does not take this one
run 0 "$dalsynth" --verify=out/net net.xml
(cd / && run 0 "$dalsynth" --verify="$OLDPWD/out/net" "$OLDPWD/net.xml")
cd ..
check "what options find" 0

# ---- a state machine -------------------------------------------------------------------------------------------------

mkdir A B
cp network.xml mapping.xml ./*.c data.bin A
cp network.xml mapping.xml ./*.c data.bin B
cat >fsm.xml <<'END'
<fsm name="two">
  <application name="A" network="A/network.xml" mapping="A/mapping.xml"/>
  <application name="B" network="B/network.xml" mapping="B/mapping.xml"/>
  <state name="first" initial="true"><running application="A"/></state>
  <state name="second"><running application="B"/></state>
  <transition from="first" to="second" event="A.finished"/>
</fsm>
END
if ! "$dalsynth" --fsm -o pair fsm.xml architecture.xml >made 2>&1; then
    fail "dalsynth" made
fi
run 0 pair/two --version
expect 'state machine two, made from:' output
expect '  state machine: fsm.xml' output
expect '  mapping of B: mapping.xml' output
run 0 "$dalsynth" --fsm --verify=pair/two fsm.xml architecture.xml
sed -i 's/core_0/core_1/' B/mapping.xml
run 1 "$dalsynth" --fsm --verify=pair/two fsm.xml architecture.xml
expect 'pair/two was made from other bytes: mapping of B (mapping.xml)' messages
[ "$(wc -l <messages)" -eq 1 ] || fail "more differs" messages
check "a state machine" 0
echo "$passed subjects"
