#!/usr/bin/env bash
# KPN processes: variable rates beside fixed ones, on any mapping; deadlocks resolved or reported;
# a network that stands still is ended; what the analysis says of the static part.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

succeeds() { # OUTPUT NETWORK MAPPING OPTION...
    run 0 "$2-$3/$2" "${@:4}"
    [ "$(sort output)" = "$1" ] || fail "${*:2}: not \"$1\"" output
}

fails() { # WORDS NETWORK MAPPING OPTION...
    run 1 "$2-$3/$2" "${@:4}"
    expect "$1" messages
}

device=split-device
[ "${OCL_ICD_VENDORS:-}" = /nowhere ] && device= # no driver is made for ThreadSanitizer
for one in direct-two loop-two rle-one rle-two split-one split-two $device dead-two tap-two misuse-two; do
    synthesise -o "$one" "$input/${one%-*}.xml" "$input/machine.xml" "$input/$one.xml"
done

run 0 direct-two/direct
numbers=$(sort output)
succeeds "$numbers" rle one
succeeds "$numbers" rle two
succeeds "$numbers" rle two --max-memory=0 # nothing of it has to grow

run 0 split-one/split
pairs=$(sort output)
expect "channel left: grown from 4 to 8 tokens" messages
succeeds "$pairs" split two
run 0 split-one/split -p split.burst=1
small=$(sort output)
succeeds "$small" split two -p split.burst=1
fails "--max-memory allows" split two --max-memory=64
fails "process merge waits for 1 token of channel right (0 of 1 there), which process split writes" \
    split two --max-memory=0
run 0 split-two/split -p split.burst=2500
# One full channel is at the device, which has none that grows; the other two hold what is needed.
if [ -n "$device" ]; then
    fails "since a device uses it" split device
    succeeds "$small" split device -p split.burst=1
    # What is launched as one waits as one: for the space of its last process, and not for itself.
    synthesise -o around-device "$input/around.xml" "$input/machine.xml" "$input/around-device.xml"
    fails "deadlock: these processes wait for each other, and no full channel" around device
    expect "process B waits for 1 token of space of channel out (8 of 8 there), which process K reads" messages
fi

# As little as can be: a ring for one number grows by one, and into what --max-memory leaves.
synthesise -o narrow-one "$input/narrow.xml"
for bytes in 4 1K; do
    run 0 narrow-one/narrow --max-memory=$bytes
    expect "channel left: grown from 1 to 2 tokens" messages
done

fails "deadlock: these processes wait for each other's tokens" dead two
fails "process two waits for 1 token of channel there (0 of" dead two

# What is changed in place never grows, and that is why: there is no device, and no size to be given.
synthesise -o place-one "$input/place.xml"
fails "since it is changed in place: it has room for its initial tokens alone" place one
expect "process M waits for 1 token of space of channel state (1 of 1 there), which process Z reads" messages

# One of two readers ends: that is not nobody.
succeeds "3000 numbers, checksum 8992d99747126ddc
the first number has come" tap two

# Few has read three numbers and four more fit: with the eighth the writer ends, though its state waits for nobody.
synthesise -o count-one "$input/count.xml"
succeeds "fired 8 times" count one

# A thread that is not scheduled for a while has perhaps released half of its windows, and is no one
# who waits.
for _ in 1 2 3 4; do
    while :; do :; done &
    running+=" $!"
done
for _ in 1 2 3 4 5; do
    succeeds "10000 rounds" loop two -p turn.rounds=10000
done
kill $running
wait $running 2>/dev/null || true
running=

succeeds "0 numbers, checksum 0000000000000000" misuse two
fails "DAL_read on port out, which is an output port" misuse two -p misuse.what=direction
fails "port out is used again before its window is ended" misuse two -p misuse.what=window
fails "DAL_write asks for -2 bytes of port out" misuse two -p misuse.what=negative
fails "DAL_write_begin asks for more bytes of port out than there can be" misuse two -p misuse.what=endless
succeeds "1 numbers, checksum 0000000000000001
the first number has come" misuse two -p misuse.what=none
fails "no token has moved for 0.1 s" misuse two -p misuse.what=spin --stall-timeout=0.1
expect "process misuse: its firing does not return" messages
run 0 misuse-two/misuse -p misuse.what=part
expect "has only 3 of 4 bytes and is lost" messages
for bad in --stall-timeout=x --stall-timeout=-1 --max-memory=1T --max-memory=; do
    run 2 misuse-two/misuse "$bad"
done

# A stop request drains: the source is fired no more, the rest arrives.
start rle-two/rle -p numbers.count=2000000000
until_so grep -q "the first number" output
kill -INT $running
ended
[ $status = 0 ] || fail "interrupted: exit status $status" messages
grep "numbers, checksum" output | grep -qv "^2000000000 " || fail "interrupted: nothing, or all, arrived"

run 0 "$dalsynth" --analyze=json "$input/split.xml"
expect '"repetition":{"numbers":1,"copy":1,"watch":1,"print":1}' output
expect '"not_covered":{"processes":["split","merge"],"channels":["plain","left","watched","copied","right","pairs"]}' output
run 0 "$dalsynth" --analyze "$input/rle.xml"
expect "channel runs: encode -> decode" output
run 1 "$dalsynth" --export-sdf3 "$input/rle.xml" # a dynamic rate
echo "all KPN networks behave"

# Lines of text, and what is there: the same on each mapping, and what a plain loop reads.
awk 'BEGIN {
    for (line = 0; line < 200; line++) {
        for (i = 0; i < line % 40; i++)
            text = text sprintf("%c", 97 + line % 26)
        text = text "\n"
    }
    while (length(text) % 7 || length(text) < last + 4) {
        last = last ? last : length(text)
        text = text sprintf("%c", 97 + 200 % 26)
    }
    printf "%s", text
}' >text
awk -v room=15 '{ at = $0 "\n"
    while (length(at) > room) { print room, room, substr(at, 1, room) "|"; at = substr(at, room + 1) }
    printf "%d %d %s%s", length(at), length(at), at, "" }' text >lines
cat >text-one.xml <<'END'
<mapping name="m"><binding name="b"><process name="*"/><processor name="core_0"/></binding></mapping>
END
cat >text-two.xml <<'END'
<mapping name="m"><binding name="b"><process name="*"/><processor name="core_0"/></binding>
<binding name="s"><process name="Some"/><processor name="core_1"/></binding>
<binding name="l"><process name="Lines"/><processor name="core_1"/></binding></mapping>
END
sed 's|</mapping>|<binding name="d"><process name="Pass"/><processor name="device"/></binding>&|' text-two.xml >text-device.xml
for one in one two ${device:+device}; do
    synthesise -o text-$one "$input/text.xml" "$input/machine.xml" text-$one.xml
    run 0 text-$one/text
    grep -v '^=' output >got
    grep '^=' output >>sums
    sed '$d' lines | cmp - <(head -n "$(($(wc -l <lines) - 1))" got) || fail "text on $one: other lines" lines got
done
run 0 text-two/text -p Some.most=1
grep '^=' output >>sums
[ "$(sort -u sums | wc -l)" = 1 ] && grep -q "^= 4144 " sums || fail "what was there" sums
run 1 text-two/text -p Some.most=0
expect "DAL_read_some asks for 0 bytes of port in, and a token has 1" messages
run 1 text-two/text -p Some.most=-1
expect "DAL_read_some asks for -1 bytes of port in, and a token has 1" messages
run 1 text-two/text -p Lines.room=1
expect "DAL_read_line asks for 1 bytes of port in, and a line needs at least 2" messages
