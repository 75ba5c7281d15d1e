#!/usr/bin/env bash
# Channels that keep the newest token alone: a writer that is faster, a reader that is, and the ends of both; a record gives
# the same bytes on two cores and on one, whatever the times are; who says that such a network is not deterministic.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp "$input"/* .
for network in newest again; do
    for mapping in map one; do
        synthesise --strict -o $network.$mapping $network.xml arch.xml $mapping.xml
    done
done

# rises LEAST: the numbers in `output` rise, and there are so many at least; the last one is that of the last frame.
rises() {
    sort -n -C "${2--u}" output || fail "tokens are out of order, or come twice" output
    [ "$(wc -l <output)" -ge "$1" ] || fail "fewer than $1 tokens" output
    [ "$(tail -n 1 output)" -eq 299 ] || fail "the last token was not read" output
    ! grep -q -e - output || fail "a token is torn" output
}

# The writer is faster, on two cores and on one: what is lost is counted.
DAL_STATS=./stats.json run 0 newest.map/newest -p Show.nap_us=1000
rises 1
python3 - "$(wc -l <output)" <<'END' || fail "losses are not counted" stats.json
import json, sys
frames = json.load(open('stats.json'))['channels'][0]
read = int(sys.argv[1])
assert frames['kind'] == 'newest' and frames['tokens'] == read and frames['lost'] == 300 - read
assert frames['repeated'] == 0 and frames['space_waits'] == 0 and 0 <= frames['oldest_ns'] <= frames['age_ns']
END
DAL_STATS=1 run 0 newest.one/newest
rises 300
expect "newest                          reads" messages

# The reader is faster, and reads frames again: not so without repeat.
run 0 again.map/again -p Camera.nap_us=300
rises 301 -n
run 0 newest.map/newest -p Camera.nap_us=100
rises 1

# A reader that ends before the writer.
run 0 newest.map/newest -p Show.count=1 -p Camera.nap_us=100
[ "$(wc -l <output)" -eq 1 ] || fail "a reader that ends goes on" output

# A record, of each, is the same run again: on both mappings, and whatever the ends do.
for network in newest again; do
    for naps in "-p Camera.nap_us=300 -p Show.nap_us=100" "-p Camera.nap_us=100 -p Show.nap_us=2000" \
        "-p Show.count=5 -p Camera.nap_us=100"; do
        count=$(sed -n 's/.*\(-p Show.count=5\).*/\1/p' <<<"$naps")
        # shellcheck disable=SC2086 # options
        DAL_RECORD=record run 0 $network.map/$network $naps
        mv output first
        for mapping in map one; do
            # shellcheck disable=SC2086
            DAL_REPLAY=record DAL_RECORD=again run 0 $network.$mapping/$network $count
            cmp output first || fail "a replay has other bytes: $network $mapping $naps"
            cmp record again || fail "a replay has another record: $network $mapping $naps"
        done
    done
done
# As far as it goes, where the end is missing, and where the writer ends before.
printf '0 Frames 7\n1 Frames 20\n' >part
DAL_REPLAY=part run 0 newest.map/newest
[ "$(paste -s -d ' ' output)" = "7 20" ] || fail "what a record has is not read" output
DAL_REPLAY=part run 0 newest.map/newest -p Camera.count=10
expect "channel Frames has ended before 1 of its reads" messages
for wrong in "1 Frames 0" "0 Frames -1" "0 Frames" "0 Shown 1" "0 Frames 1x" "0 Frames 7
1 Frames 7"; do
    echo "$wrong" >wrong
    DAL_REPLAY=wrong run 1 newest.map/newest
    expect ": DAL_REPLAY: " messages
    [ ! -s output ] || fail "it runs with a wrong record: $wrong" output
done

# With a period, in a part, and with a live parameter: one file has both, what was read and what was changed.
for mapping in map one; do
    synthesise --strict -o with.$mapping with.xml arch.xml $mapping.xml
done
DAL_RECORD=record run 0 with.map/with
awk '{ print 3 * $1 }' output >wanted
{ echo "0 W.Gain.gain=3" && cat record; } >changed
for mapping in map one; do
    DAL_REPLAY=changed run 0 with.$mapping/with
    cmp output wanted || fail "a replay with a change has other bytes: $mapping"
done

# In a library: each tick that the program sends is answered by what was the newest frame then.
synthesise --library -o watch watch.xml arch.xml watch-map.xml
read -ra flags < <(pkg-config --cflags --libs dal-uninstalled)
read -ra sanitizer <<<"${DAL_SANITIZER:-}"
read -ra compiler <<<"${CC:-cc}"
"${compiler[@]}" "${sanitizer[@]}" -Iwatch -o use use.c watch/libwatch.so "${flags[@]}" -Wl,-rpath,"$PWD/watch:$build/rt/.libs"
run 0 ./use
sort -n -C output && [ "$(wc -l <output)" -eq 100 ] && [ "$(tail -n 1 output)" -gt 0 ] || fail "a library has other frames" output

# Who says so.
run 0 newest.map/newest --version
expect "not deterministic but with DAL_REPLAY: channel Frames of network newest" output
synthesise --verify=newest.map/newest newest.xml arch.xml map.xml
synthesise --explain newest.xml arch.xml map.xml
expect "not deterministic, since the newest token is time's affair: Frames" made
sed -e 's/<process name="Camera"/& period="10ms"/; s/<process name="Show"/& period="40ms"/' newest.xml >periods.xml
synthesise --explain periods.xml arch.xml map.xml
expect "at most 10 ms old while Camera keeps its period, none older than 60000 ms; 75 % of the tokens are lost" made
run 0 "$dalsynth" --analyze newest.xml
expect "Channel Frames keeps the newest token alone: Camera and Show are apart." output

# Both directions between two processes: neither gets a first token. A ring that is empty does the same.
back='<channel name="Back" from="Show.back" to="Camera.back" type="int32_t" newest="true"\/>'
sed -e "s/<\/processnetwork>/$back&/" newest.xml >circle.xml
never_begins() { # NETWORK
    run 1 "$dalsynth" --check "$1" arch.xml map.xml
    expect "error: [deadlock] the network deadlocks: sw_channel 'Frames' never has a first token, since process 'Camera' cannot fire before 'Show' has" messages
    expect "note: process 'Camera' waits for 'Show' at sw_channel 'Back'" messages
}
never_begins circle.xml
sed 's/newest="true"\/>/size="4"\/>/' circle.xml >ring.xml
never_begins ring.xml
sed 's/size="4"\/>/size="4" initialtokens="1"\/>/' ring.xml >begun.xml
run 0 "$dalsynth" --check begun.xml arch.xml map.xml

# So do those of which one begins whole cycles alone, but not phase by phase; and those that have tokens for some firings.
{
    echo '<processnetwork name="turns">'
    printf '  <process name="%s" source="%s.c"/>\n' A camera B camera C camera
    echo '  <channel name="Out" from="A.out" to="C.in" tokensize="4" tokenratein="1,0"/>'
    echo '  <channel name="Newest" from="C.out" to="B.in" tokensize="4" newest="true"/>'
    echo '  <channel name="In" from="B.out" to="A.in" tokensize="4" tokenrateout="0,1"/>'
    echo '</processnetwork>'
} >turns.xml
sed 's/tokenratein="1,0"/tokenrateout="2"/; s/newest="true"/& repeat="true"/; s/tokenrateout="0,1"/initialtokens="1"/' turns.xml >some.xml
for network in turns some; do
    run 1 "$dalsynth" --check $network.xml
    expect "sw_channel 'Newest' never has a first token, since process 'C' cannot fire before 'B' has" messages
    expect "note: process 'C' waits for 'A' at sw_channel 'Out'" messages
    expect "note: process 'A' waits for 'B' at sw_channel 'In'" messages
done
sed -i 's/<process name="A"/& firing="phase"/' turns.xml
sed -i 's/initialtokens="1"/initialtokens="2"/' some.xml
for network in turns some; do
    run 0 "$dalsynth" --check $network.xml
done

# What a mapping cannot have of it.
refuse() { # WHY [NETWORK ARCHITECTURE]: refused.xml is not taken
    run 1 "$dalsynth" --check "${2:-newest.xml}" "${3:-arch.xml}" refused.xml
    expect "[newest]" messages
    expect "$1" messages
}
sed 's/<\/mapping>/<channel name="Frames" size="4"\/>&/' map.xml >refused.xml
refuse "the mapping cannot give it a kind or a size"
sed '/name="camera"/s/<\/binding>/<target shadowcopies="2"\/>&/' map.xml >refused.xml
refuse "process 'Camera' has shadow copies"
sed '/name="core_1"/s/.*/<shared name="far"\/><processor name="far\/core_1" type="RISC"><capability name="POSIX" identifier="1"\/><\/processor>/
    s/<architecture name="two">/&<shared name="near"\/>/; s/"core_0"/"near\/core_0"/' arch.xml >cluster.xml
sed 's/"core_0"/"near\/core_0"/; s/"core_1"/"far\/core_1"/' map.xml >refused.xml
refuse "process 'Show' runs on another node than its peer" newest.xml cluster.xml
echo '__kernel void show(__global const int *in, __global int *out) { out[0] = in[0]; }' >show.cl
sed 's/source="show.c"/source="show.c show.cl"/' newest.xml >kernel.xml
device() {
    echo "<processor name=\"device_$1\" type=\"ACC\"><capability name=\"OPENCL\" identifier=\"CPU_DEV$((1 + $1))\"\/><\/processor>"
}
sed "s/<\/architecture>/$(device 0)$(device 1)&/" arch.xml >device.xml
both='<processor name="device_0"\/><processor name="device_1"\/>'
sed "s/<process name=\"\*\"\/>/<process name=\"Sink\"\/>/
    s/<\/mapping>/<binding name=\"show\"><process name=\"Show\" sourceid=\"1\"\/>$both<\/binding>&/" map.xml >refused.xml
refuse "process 'Show' takes turns on several devices" kernel.xml device.xml
run 1 "$dalsynth" --tap=Camera.out -o tapped newest.xml arch.xml map.xml
expect "its port feeds other channels, or a tap, too" messages
