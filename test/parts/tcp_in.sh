#!/usr/bin/env bash
# dal:tcp_in.xml hands on what its peer sends until that closes its end, at either side of a connection.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/net.sh"

python3 -c 'import sys; sys.stdout.buffer.write(bytes(i * 7 % 251 for i in range(12 * 30000)))' >data

# What a peer does that has connected, c being its end: sends all in pieces that are no tokens, or a part and goes.
sends_all='
for i in range(0, len(data), 7001): c.sendall(data[i:i + 7001])'
goes='
c.sendall(data[:13])
c.close()'
# serves DOES: Python waits for the program, and does this with it
serves() {
    peer_starts <<PYTHON
import socket, struct
data = open("data", "rb").read()
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
    told "tcp_in: waits at 127.0.0.1:"
    python3 - "$port" <<PYTHON || fail "the peer failed" messages
import socket, struct, sys
data = open("data", "rb").read()
c = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 60)
$1
PYTHON
}

# ---- a client ------------------------------------------------------------------------------------

ports='out=int32_t[3]' part tcp_in 'type="int32_t" length="3" address="127.0.0.1" port="1"'
serves "$sends_all"
runs 0 tcp_in/tcp_in --out=got -p Part.Receive.port="$port"
peer_ended
cmp got data || fail "other tokens"
[ ! -s messages ] || fail "it says something" messages

serves "$goes"
runs 1 tcp_in/tcp_in --out=new -p Part.Receive.port="$port"
peer_ended
expect "process Part.Receive: 127.0.0.1:$port vanished in the middle of a token: 1 of 12 bytes have come" messages
[ ! -e new ] || fail "a file is left"

# Nobody is there; then somebody comes after a while.
runs 1 tcp_in/tcp_in --out=new -p Part.Receive.port="$port"
expect "process Part.Receive: 127.0.0.1:$port: Connection refused" messages
serves 'c.close(); s.close(); s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])
import time; time.sleep(1); s.listen(); s.settimeout(60); c, _ = s.accept()
'"$sends_all"
python3 -c "import socket; socket.create_connection(('127.0.0.1', $port), 60)"
until [ "$(wc -l <peer.out)" -ge 2 ]; do sleep 0.02; done
runs 0 tcp_in/tcp_in --out=got -p Part.Receive.port="$(sed -n 2p peer.out)" -p Part.Receive.wait=60
peer_ended
cmp got data || fail "other tokens from a late server"

# ---- a server ------------------------------------------------------------------------------------

ports='out=int32_t[3]' part tcp_in 'type="int32_t" length="3" role="server" address="127.0.0.1" port="0"'
start tcp_in/tcp_in --out=got
visits "$sends_all"
ends 0
cmp got data || fail "other tokens of a client"

if has_ipv6; then
    start tcp_in/tcp_in --out=got -p Part.Receive.address=::1
    told "tcp_in: waits at [::1]:"
    cat data >"/dev/tcp/::1/$port"
    ends 0
    cmp got data || fail "other tokens by IPv6"
fi

# A connection that is reset where a token ends is the end.
start tcp_in/tcp_in --out=/dev/stdout
told "tcp_in: waits at 127.0.0.1:"
mkfifo fifo
peer_starts <<PYTHON
import socket, struct
data = open("data", "rb").read()
c = socket.create_connection(("127.0.0.1", $port), 60)
print($port)
c.sendall(data[:24])
open("fifo").read()
c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
c.close()
PYTHON
until_so has_bytes output 24
echo go >fifo
peer_ended
ends 0
expect "Connection reset by peer" messages

# ---- signals -------------------------------------------------------------------------------------

for what in INT TERM; do
    start tcp_in/tcp_in --out=got --stall-timeout=0.5
    told "tcp_in: waits at 127.0.0.1:"
    sleep 1 # more than it takes a stalled network to be told of
    kill -$what $running
    ends 0
done
start tcp_in/tcp_in --out=/dev/stdout # a peer that is silent within a token
told "tcp_in: waits at 127.0.0.1:"
exec 9<>"/dev/tcp/127.0.0.1/$port"
printf abcdefghijklm >&9
until_so has_bytes output 12
kill -TERM $running
ends 0
exec 9>&-

# ---- what is wrong ---------------------------------------------------------------------------------

runs 2 tcp_in/tcp_in --out=new -p Part.Receive.port=65536
expect 'parameter Part.Receive.port=65536: "65536" is out of range: it must be from 0 to 65535' messages
runs 1 tcp_in/tcp_in --out=new -p Part.Receive.address=192.0.2.1 # of nobody
expect "process Part.Receive: 192.0.2.1:0: Cannot assign requested address" messages
runs 2 tcp_in/tcp_in --out=new -p Part.Receive.wait=long
expect 'parameter Part.Receive.wait=long: "long" is no double' messages
[ ! -e new ] || fail "a file is left"
ports='out=uint8_t'
refuse_part "'peer' is none of its values: client server" tcp_in 'port="1" role="peer"'
