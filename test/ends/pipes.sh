#!/usr/bin/env bash
# Programs in pipes: the open ports of a network are standard streams. What ends outside ends the program as it should, a pipe of
# programs is the network of all of them, and everything that makes, draws or watches a program knows its ports.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp "$input"/gain.* "$input"/copy.c .
architecture core_0 core_1 >cores.xml
synthesise -o gain gain.xml
head -c 25600 /dev/zero | tr '\0' '?' >a.raw # 6400 floats, 0x3f3f3f3f
run 0 gain/gain --samples=a.raw --louder=wanted
[ "$(od -An -v -w4 -tx4 wanted | uniq -c | tr -s ' ')" = " 6400 3fbf3f3f" ] || fail "it does not double" <(od -tx4 wanted)

# ---- standard streams ----------------------------------------------------------------------------

gained() { # COMMAND...: twice a.raw
    "$@" <a.raw >got 2>messages && cmp got wanted && [ ! -s messages ] || fail "$*: other bytes" messages
}
gained gain/gain --samples=- --louder=-
gained gain/gain --samples=/dev/stdin --louder=/dev/stdout
gained bash -o pipefail -c 'cat | gain/gain --samples=- --louder=- | cat'
gained bash -o pipefail -c 'while IFS= read -rN 999 x || [ "$x" ]; do printf %s "$x"; done | gain/gain --samples=- --louder=- | cat'
gain/gain --samples=a.raw --louder=- | python3 -c 'import fcntl, sys
sys.stdin.buffer.read(1)
print(fcntl.fcntl(0, 1032)) # F_GETPIPE_SZ' >width
[ "$(cat width)" -eq 524288 ] || fail "a pipe of $(cat width) bytes"
gained bash -c 'exec gain/gain --samples=- --louder=- <&0 >>got' # appends
gained gain/gain --samples=a.raw --louder=-
tail -c +513 a.raw >tail.raw
{ head -c 512 >head.raw && gain/gain --samples=- --louder=-; } <a.raw >got # the rest of a file that is open
[ "$(stat -c %s got)" -eq 25088 ] || fail "the rest of a file has $(stat -c %s got) bytes"
mkfifo fifo
gain/gain --samples=fifo --louder=got 2>messages &
running=$!
cat a.raw >fifo
ended
[ "$status" -eq 0 ] && cmp got wanted || fail "a named pipe" messages
gain/gain --samples=a.raw --louder=fifo 2>messages &
running=$!
cat fifo >got
ended
[ "$status" -eq 0 ] && cmp got wanted || fail "to a named pipe" messages

head -c 1001 a.raw >part.raw
run 1 bash -o pipefail -c 'cat part.raw | gain/gain --samples=- --louder=new'
expect "port samples: standard input: it ends within a token: the last one has 1 of 4 bytes" messages
[ ! -e new ] || fail "a file is left"
run 1 gain/gain --samples=- --louder=new <&-
expect "port samples: standard input: Bad file descriptor" messages
run 1 gain/gain --samples=- --louder=new 0>got # open the other way
expect "port samples: standard input: Bad file descriptor" messages
[ ! -e new ] || fail "a file is left"
closed() {
    "$@" >&-
}
run 1 closed gain/gain --samples=a.raw --louder=-
expect "port louder: standard output: Bad file descriptor" messages
run 1 gain/gain --samples=- --louder=/dev/full <a.raw
expect "port louder: /dev/full: cannot be written: No space left on device" messages
full() {
    "$@" >/dev/full
}
run 1 full gain/gain --samples=a.raw --louder=-
expect "port louder: standard output: cannot be written: No space left on device" messages

# A reader that goes away wants no more: no error, and no end of the world.
for feed in "yes" "cat /dev/zero"; do
    for louder in - /dev/stdout; do
        bash -c "$feed 2>/dev/null | { gain/gain --samples=- --louder=$louder 2>messages; echo \$? >status; } | head -c 100000 | wc -c" >got
        [ "$(cat status got | tr -d ' ' | tr '\n' ' ')" = "0 100000 " ] && [ ! -s messages ] || fail "a reader goes away" status got messages
    done
done

# ---- signals -------------------------------------------------------------------------------------

# The input waits within a token; what came before it is drained.
has_come() {
    [ "$(stat -c %s "$1" 2>/dev/null)" = "$2" ]
}
for what in INT TERM; do
    rm -f fifo got
    mkfifo fifo
    start bash -c 'exec gain/gain --samples=fifo --louder=/dev/stdout --stall-timeout=0.5'
    { head -c 1026 a.raw && exec sleep 1000; } >fifo &
    feeder=$!
    until_so has_come output 1024
    sleep 1 # more than it takes a stalled network to be told of
    kill -$what $running
    ended
    kill $feeder
    wait $feeder 2>/dev/null || true
    [ "$status" -eq 0 ] && cmp output <(head -c 1024 wanted) && [ ! -s messages ] || fail "SIG$what: exit status $status" messages
done

# A reader that takes nothing does not keep a second signal from ending the program.
rm -f fifo
mkfifo fifo
{ exec sleep 1000; } <fifo &
reader=$!
start bash -c 'exec gain/gain --samples=/dev/zero --louder=fifo'
sleep 1
kill -INT $running
sleep 1
kill -TERM $running
ended
kill $reader
wait $reader 2>/dev/null || true
[ "$status" -eq 1 ] || fail "a reader that takes nothing: exit status $status" messages
expect "network gain ended early: interrupted" messages

# Signals that come when the new file is in its place change nothing. What comes from the library of a sanitizer must be first.
if [ -z "${DAL_SANITIZER:-}" ]; then
    cat >late.c <<'END'
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>

int rename(const char *from, const char *to)
{
    int status = renameat(AT_FDCWD, from, AT_FDCWD, to);
    for (int i = 0; i < 4; i++)
        raise(i % 2 ? SIGTERM : SIGINT);
    return status;
}
END
    run 0 ${CC:-cc} -shared -fPIC -o late.so late.c
    echo older >got
    run 0 env LD_PRELOAD="$PWD/late.so" gain/gain --samples=a.raw --louder=got
    cmp got wanted && [ ! -s messages ] || fail "signals behind the end" messages
fi

# ---- what the command line says --------------------------------------------------------------------

run 0 gain/gain --help
expect "--samples=FILE  reads float tokens of 4 bytes" output
expect "--louder=FILE  writes float tokens of 4 bytes" output
run 0 gain/gain --check
run 2 gain/gain
expect "port samples: --samples=FILE must say what it reads; - is standard input" messages
run 2 gain/gain --samples=a.raw
expect "port louder: --louder=FILE must say what it writes; - is standard output" messages
run 2 gain/gain --samples=a.raw --louder=
expect "port louder: --louder=FILE must say what it writes; - is standard output" messages
run 2 gain/gain --samples=a.raw --louder=new --other=x
run 0 gain/gain --samples=nowhere --samples=a.raw --louder=got # the last one counts

cat >join.xml <<'END'
<processnetwork name="join">
  <port type="input" name="left" tokensize="4"/>
  <port type="input" name="right" tokensize="4"/>
  <port type="output" name="both" tokentype="float"/>
  <port type="output" name="first" tokentype="float"/>
  <process name="Join" source="join.c"/>
  <channel from="left" to="Join.left"/>
  <channel from="right" to="Join.right"/>
  <channel from="Join.out" to="both" tokenratein="2"/>
  <channel from="left" to="first"/>
</processnetwork>
END
cat >join.c <<'END'
#include "dal.h"

int Join_fire(DALProcess *p)
{
    int x[2];
    DAL_read(PORT_left, &x[0], 4, p);
    DAL_read(PORT_right, &x[1], 4, p);
    DAL_write(PORT_out, x, 8, p);
    return 0;
}
END
synthesise -o join join.xml
run 0 join/join --left=a.raw --right=- --both=got --first=- <wanted
cmp output a.raw || fail "a port that leads to a port: other bytes"
[ "$(od -An -tx4 -N8 got)" = " 3f3f3f3f 3fbf3f3f" ] && [ "$(stat -c %s got)" -eq 51200 ] || fail "two inputs" <(od -tx4 -N8 got)
run 2 join/join --left=- --right=- --both=got --first=got2
expect "ports left and right both read standard input" messages
run 2 join/join --left=a.raw --right=- --both=new --first=new
expect "ports both and first both write new" messages
ln -s new link
ln -s "$PWD/link" links
mkdir folder
ln -s ../new folder/up
for file in ./new "$PWD/new" folder/../new link links folder/up; do
    for files in "--both=new --first=$file" "--both=$file --first=new"; do
        run 2 join/join --left=a.raw --right=wanted $files
        expect "ports both and first both write ${files##*=}" messages
        [ ! -e new ] || fail "$files: a file is left"
    done
done
run 2 join/join --left=a.raw --right=wanted --both=new.wav,channels=2 --first=./new.wav,rate=8000
expect "ports both and first both write ./new.wav,rate=8000" messages
run 2 bash -c 'exec join/join --left=a.raw --right=wanted --both=new.$$-0.tmp --first=new'
expect "ports both and first both write new" messages
run 0 join/join --left=a.raw --right=wanted --both=new --first=folder/new
cmp folder/new a.raw && [ "$(stat -c %s new)" -eq 51200 ] || fail "files of one name in two folders"
rm -rf new folder
touch there
for file in ./there "$PWD/there"; do
    run 2 join/join --left=a.raw --right=wanted --both=there --first="$file"
    expect "ports both and first both write $file" messages
done
run 2 bash -c 'cat a.raw | join/join --left=/dev/stdin --right=- --both=new --first=new2'
expect "ports left and right both read standard input" messages
run 2 bash -o pipefail -c 'join/join --left=a.raw --right=wanted --both=- --first=/dev/stdout | cat'
expect "ports both and first both write /dev/stdout" messages
run 2 gain/gain --samples=fifo --louder=fifo
expect "ports samples and louder share the pipe fifo" messages
run 0 join/join --left=a.raw --right=wanted --both=/dev/null --first=/dev/null
head -c 400 a.raw >short.raw # the shorter one ends it
run 0 join/join --left=a.raw --right=short.raw --both=got --first=/dev/null
[ "$(stat -c %s got)" -eq 800 ] || fail "the shorter input: $(stat -c %s got) bytes"

sed 's/louder/check/' gain.xml >clash.xml
refuse "port 'check': every program has an option of this name" clash.xml
run 1 "$dalsynth" --library -o clash clash.xml # a program is beside it
expect "port 'check': every program has an option of this name" messages

# ---- one network or three ------------------------------------------------------------------------

cat >chain.xml <<'END'
<processnetwork name="chain">
  <port type="input" name="in" tokentype="float"/>
  <port type="output" name="out" tokentype="float"/>
  <network name="First" source="gain.xml"/>
  <network name="Second" source="gain.xml"><parameter name="Gain.by" value="3"/></network>
  <network name="Third" source="gain.xml"/>
  <channel from="in" to="First.samples"/>
  <channel from="First.louder" to="Second.samples"/>
  <channel from="Second.louder" to="Third.samples"/>
  <channel from="Third.louder" to="out"/>
</processnetwork>
END
synthesise -o chain chain.xml
run 0 chain/chain --in=a.raw --out=one.raw
bash -o pipefail -c 'gain/gain --samples=a.raw --louder=- | gain/gain -p Gain.by=3 --samples=- --louder=- |
    gain/gain --samples=- --louder=three.raw' || fail "three programs in a pipe"
cmp one.raw three.raw && [ -s one.raw ] || fail "three programs in a pipe are not the network of them"

# ---- mappings ------------------------------------------------------------------------------------

# mapped NAME BINDING...: twice a.raw, on the machine of `machine`
mapped() {
    local name=$1
    shift
    mapping "$@" >"$name-map.xml"
    synthesise -o "$name" gain.xml "$machine" "$name-map.xml"
    gained "$name/gain" --samples=- --louder=-
}
machine=cores.xml
mapped one "Gain 1 core_0"
mapped all "Gain 1 core_0"
gained all/gain --all-cores --samples=- --louder=-
mapped named "Gain 1 core_0" "samples - core_1" "louder - core_1"
mapped pattern "*u* - core_1" "Gain 1 core_0" "s* - core_0"
cat >same-map.xml <<'END'
<mapping name="m">
  <binding name="samples"><process name="Gain" sourceid="1"/><processor name="core_0"/><target shadowcopies="1"/></binding>
</mapping>
END
synthesise -o same gain.xml cores.xml same-map.xml # a binding that is called as a port
"$dalinfo" --architecture -o machine.xml
if has_device machine.xml; then
    machine=machine.xml
    mapped device "Gain 0 device_0"
    mapping "* - device_0" >all-map.xml
    refuse "no source that its processor can run" gain.xml machine.xml all-map.xml
fi
cat >cluster.xml <<'END'
<architecture name="cluster">
  <shared name="n0"/>
  <shared name="n1"/>
  <processor name="n0/core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>
  <processor name="n1/core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>
</architecture>
END
mapping "* - n0/core_0" "Third.Gain - n1/core_0" >nodes-map.xml
refuse "port 'in' of the network is open: all of it runs on one node then, but the mapping has 2 nodes" \
    chain.xml cluster.xml nodes-map.xml
cat >life.xml <<'END'
<fsm name="f">
  <application name="A" network="gain.xml" mapping="one-map.xml"/>
  <state name="s" initial="true"><running application="A"/></state>
</fsm>
END
refuse "application 'A': port 'samples' of its network is open, and one of several applications has no options for ports" \
    --fsm life.xml cores.xml

# ---- whatever knows a network --------------------------------------------------------------------

run 0 "$dalsynth" --expand gain.xml
mv output long.xml
run 0 "$dalsynth" --shorten long.xml
mv output short.xml
for form in long short; do
    synthesise -o $form $form.xml
    gained $form/gain --samples=- --louder=-
done
PATH=$build/tools:$PATH run 0 "$build/tools/dal" run -o ran gain.xml -- --samples=a.raw --louder=got
cmp got wanted || fail "dal run: other bytes"
echo '{"Gain": 5}' >times.json
run 0 "$build/synth/dalmap" --times=times.json -o found.xml gain.xml cores.xml
expect " tried; predicted: " output
run 0 "$dalsynth" --analyze gain.xml
expect "network gain: 1 processes, 2 channels, 2 open ports, consistent, 1 firings an iteration" output
expect "Open ports: the outside is taken to be always ready:" output
expect "  input port samples" output
! grep -q "Not covered" output || fail "an open port is not covered" output
run 0 "$dalsynth" --analyze=json gain.xml
expect '"open_ports":["samples","louder"]' output
! grep -q not_covered output || fail "an open port is not covered" output
sed 's/ tokenrateout="64"/ tokenrateout="dynamic"/' gain.xml >mixed.xml
run 0 "$dalsynth" --analyze=json mixed.xml
expect '"open_ports":["samples","louder"],"not_covered":{"processes":["Gain"],"channels":["samples-Gain.in","Gain.out-louder"]}' output
run 0 "$build/view/dalview" -o page.html gain.xml cores.xml one-map.xml
expect "open input port of the network" page.html
run 0 "$build/view/dalview" -o page.json gain.xml
expect '"name":"samples"' page.json
run 0 env DAL_REPORT=report.html DAL_STATS=stats.json DAL_TRACE=trace.json DAL_PROGRESS=0.01 gain/gain --samples=a.raw --louder=got
cmp got wanted || fail "observed: other bytes"
expect '"process": "samples"' stats.json
for file in report.html stats.json trace.json; do
    expect samples $file
done
run 0 "$dalsynth" --explain -o told --measured=stats.json gain.xml
expect "open port" output
# ---- apps/pipe -----------------------------------------------------------------------------------

cp -r "$source/apps/pipe" app
chmod -R u+w app
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C app DAL="$build/tools/dal" run >got 2>log || fail "apps/pipe" log
# An edge is two pixels wide, 12 * 12 - 8 * 8 of them. The first two squares lie at the border, where none is seen.
[ "$(uniq -c <got | tr -s ' ' | tr -d '\n')" = " 1 36 1 57 28 80" ] || fail "apps/pipe counts otherwise" got
app/pictures/pictures --frames=frames.npy && grep -aq "'shape': (30, 3072), }" frames.npy || fail "apps/pipe: another array"
app/edges/edges --frames=frames.npy --edges=- | app/count/count --frames=- --counts=- | od -An -v -w4 -td4 | cmp - got ||
    fail "apps/pipe counts otherwise from a file"
echo "pipes: streams, signals, mappings; three programs are one network"
