#!/usr/bin/env bash
# Shadow copies of C processes: a stateless one is spread over the cores of its mapping, with its
# tokens in order; one that keeps state is refused, and it is said where the state is.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp "$input"/* .
architecture core_0 core_1 >architecture.xml
mapping "* - core_*" >mapping.xml
sed -e 's/^int Work_fire/struct _local_states { int k; };\n&/' work.c >stateful.c

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
  $(channel there Source out Work in 'size="16"')
  $(channel back Work out Sink in 'size="16"')
  ${3:-}
</processnetwork>
END
}

network work.c >network.xml
"$dalsynth" --explain -o out network.xml architecture.xml mapping.xml >explained
grep -qE '^Work +core_0,core_1 +c +work.c +Work_fire +1 +2 ' explained || fail "not two copies" explained
run 0 out/copies
expect "20000 tokens, 0 out of place" output

# Room that is not given grows with the copies, by bytes: four activations of each with as many tokens as 128 KB of windows
# have, or fewer where 256 KB a copy are not enough. What is given stays.
room() { # CORES TOKEN-BYTES: prints the capacity of the channel to Work
    local cores
    mapfile -t cores < <(seq -f 'core_%g' 0 $(($1 - 1)))
    architecture "${cores[@]}" >many.xml
    network work.c | sed -e 's/ size="16"//; s/ shadowcopies="4"//' -e "s/tokensize=\"4\"/tokensize=\"$2\"/" >open.xml
    "$dalsynth" --explain --check open.xml many.xml mapping.xml >explained
    awk '$1 == "there" && $3 == "->" { print $11 }' explained
}
[ "$(room 1 64) $(room 2 64) $(room 4 64)" = "385 8705 16897" ] || fail "other rooms for small tokens" explained
[ "$(room 2 4096) $(room 8 4096)" = "137 521" ] || fail "other rooms for tokens of 4 KB" explained
[ "$(room 4 65536) $(room 4 1048576)" = "19 8" ] || fail "other rooms for large tokens" explained

# Two in a row fire in turn on each core, with memory of each core's own between them: what is
# planned, and what is.
network work.c '' "<process name=\"More\" type=\"local\" shadowcopies=\"4\" stateless=\"true\">
    <port type=\"input\" name=\"in\"/><port type=\"output\" name=\"out\"/>
    <source id=\"0\" type=\"c\" location=\"more.c\"/></process>
  $(channel on More out Sink in 'size="16"')" | sed -e '/"back"/,/Sink/s/"Sink"/"More"/' >network.xml
sed -e 's/Work_/More_/g' -e '/number \*=/d' work.c >more.c
"$dalsynth" --explain -o out network.xml architecture.xml mapping.xml >explained
turns="^Work to More, 2 processes, a copy of all on each core; 1 channel in [0-9]* bytes, not [0-9]*$"
grep "$turns" explained >planned || fail "not fired in turn" explained
DAL_STATS=1 run 0 out/copies
expect "20000 tokens, 0 out of place" output
grep "$turns" messages >fired || fail "not fired in turn" messages
cmp planned fired || fail "the plan says otherwise" planned fired

network stateful.c >network.xml
refuse "network.xml:6: error: [stateful]" network.xml architecture.xml mapping.xml
network work.c '<port type="input" name="before"/><port type="output" name="after"/>' \
    "$(channel state Work after Work before 'size="16" initialtokens="1"')" >network.xml
refuse "network.xml:4: error: [stateful]" network.xml architecture.xml mapping.xml
echo "1 process copied, 2 in turn, 2 refused"
