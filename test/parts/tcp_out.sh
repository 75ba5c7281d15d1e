#!/usr/bin/env bash
# dal:tcp_out.xml sends what comes to its peer, at either side of a connection.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/net.sh"

python3 -c 'import sys; sys.stdout.buffer.write(bytes(i * 7 % 251 for i in range(12 * 30000)))' >data

takes_all='
with open("got", "wb") as got:
    while True:
        piece = c.recv(5000)
        got.write(piece)
        if not piece: break'
# The connection is reset, since what has come was not read.
takes_some='
c.recv(1)
c.close()'

# serves DOES: Python waits for the program, and does this with it
serves() {
    peer_starts <<PYTHON
import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen()
print(s.getsockname()[1])
s.settimeout(60)
c, _ = s.accept()
$1
PYTHON
}

# visits DOES: Python connects to the program that waits
visits() {
    told "tcp_out: waits at 127.0.0.1:"
    python3 - "$port" <<PYTHON || fail "the peer failed" messages
import socket, sys
c = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 60)
$1
PYTHON
}

# ---- a client ------------------------------------------------------------------------------------

ports='in=int32_t[3]' part tcp_out 'type="int32_t" length="3" address="127.0.0.1" port="1"'
serves "$takes_all"
runs 0 tcp_out/tcp_out --in=data -p Part.Send.port="$port"
peer_ended
cmp got data || fail "other tokens"
[ ! -s messages ] || fail "it says something" messages

# Nobody is there; the peer has an end without any token.
runs 1 tcp_out/tcp_out --in=data -p Part.Send.port="$port"
expect "process Part.Send: 127.0.0.1:$port: Connection refused" messages
serves "$takes_all"
runs 0 tcp_out/tcp_out --in=/dev/null -p Part.Send.port="$port"
peer_ended
has_bytes got 0 || fail "tokens out of nothing"

# ---- a server ------------------------------------------------------------------------------------

ports='in=int32_t[3]' part tcp_out 'type="int32_t" length="3" role="server" address="127.0.0.1" port="0"'
start tcp_out/tcp_out --in=data
visits "$takes_all"
ends 0
cmp got data || fail "other tokens to a client"

# A peer that says something gets all nevertheless, and one that does not stop is left.
start tcp_out/tcp_out --in=data
visits "
import time
c.sendall(b'thanks')
time.sleep(0.5)
$takes_all"
ends 0
cmp got data || fail "other tokens to a client that talks"
head -c 12 data >token
start tcp_out/tcp_out --in=token
visits '
import time
until = time.time() + 30
try:
    while time.time() < until: c.sendall(bytes(1000))
    sys.exit("it listens for ever")
except OSError: pass'
ends 0

# A peer that goes where a token ends is the end, also of an input without one. The system takes each small token as a whole.
mkfifo fifo
start bash -c 'exec tcp_out/tcp_out --in=fifo'
exec 9>fifo
head -c 12 data >&9
visits "$takes_some"
while kill -0 $running 2>/dev/null; do
    (trap '' PIPE && cat data >&9 2>/dev/null) || true
done
ends 0
exec 9>&-
expect "takes no more than" messages

# A token that is larger than all buffers is in the middle when the peer goes.
ports='in=uint8_t[16777216]' part tcp_out 'length="16777216" role="server" address="127.0.0.1" port="0"'
head -c 16777216 /dev/zero >large
start tcp_out/tcp_out --in=large
visits "$takes_some"
ends 1
expect "vanished in the middle of a token: " messages
expect " of 16777216 bytes are sent: " messages

# ---- signals -------------------------------------------------------------------------------------

for what in INT TERM; do # nobody comes
    start tcp_out/tcp_out --in=large --stall-timeout=0.5
    told "tcp_out: waits at 127.0.0.1:"
    sleep 1 # more than it takes a stalled network to be told of
    kill -$what $running
    ends 0
    expect "tcp_out: 127.0.0.1:$port: nobody has come" messages
done

# A peer that takes nothing does not keep the program from its end for long.
start tcp_out/tcp_out --in=large
told "tcp_out: waits at 127.0.0.1:"
exec 8<>"/dev/tcp/127.0.0.1/$port"
dd bs=1 count=1 <&8 >first 2>log # it sends
kill -TERM $running
sleep 0.5
kill -0 $running || fail "it ends before all is sent" messages
ends 1
expect "127.0.0.1:" messages
expect "takes nothing in the middle of a token: " messages
exec 8>&-

# ---- what is wrong ---------------------------------------------------------------------------------

runs 2 tcp_out/tcp_out --in=large -p Part.Send.port=-1
expect 'parameter Part.Send.port=-1: "-1" is out of range: it must be from 0 to 65535' messages
ports='in=uint8_t'
refuse_part "'peer' is none of its values: client server" tcp_out 'port="1" role="peer"'
