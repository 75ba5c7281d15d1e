#!/usr/bin/env bash
# dal:zmq_in.xml hands on messages that other programs send with ZeroMQ.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/net.sh"
find_zmq || skip "there is no python3 with zmq"
pkg-config --exists libzmq || skip "libzmq is missing"

python3 -c 'import sys; sys.stdout.buffer.write(bytes(i * 7 % 251 for i in range(300 * 12)))' >data
tokens='[data[i:i + 12] for i in range(0, len(data), 12)]'

# pushes KIND DOES: Python binds a socket, and sends with it.
pushes() {
    peer_starts <<PYTHON
import zmq
data = open("data", "rb").read()
s = zmq.Context().socket(zmq.$1)
s.setsockopt(zmq.SNDTIMEO, 60000)
s.setsockopt(zmq.RCVTIMEO, 60000)
print(s.bind_to_random_port("tcp://127.0.0.1"))
$2
s.context.destroy(60000) # when all has arrived
PYTHON
}
receives() { # STATUS OPTION...
    local wanted=$1
    shift
    runs "$wanted" zmq_in/zmq_in --out=got -p Part.Receive.endpoint="tcp://127.0.0.1:$port" "$@"
}

# ---- PULL ----------------------------------------------------------------------------------------

ports='out=int32_t[3]' part zmq_in 'type="int32_t" length="3" endpoint="tcp://127.0.0.1:1"'
pushes PUSH "for t in $tokens + [b'']: s.send(t)" # an empty message is the end
receives 0
peer_ended
cmp got data || fail "other messages"
[ ! -s messages ] || fail "it says something" messages

pushes PUSH "for t in $tokens: s.send(t)"
receives 0 -p Part.Receive.count=300
peer_ended
cmp got data || fail "other messages, counted"

for what in 'b"123"|a message has 3 bytes, and not 12' 'b"1234567890123"|a message has 13 bytes, and not 12'; do
    rm -f got
    pushes PUSH "s.send(${what%%|*})"
    receives 1
    peer_ended
    expect "process Part.Receive: endpoint tcp://127.0.0.1:$port: ${what#*|}" messages
    [ ! -e got ] || fail "a file is left"
done
pushes PUSH "s.send_multipart([b'topic', data[:12]])"
receives 1
peer_ended
expect "a message has more parts than 1" messages

# ---- SUB, at the side that binds -------------------------------------------------------------------

ports='out=int32_t[3]' part zmq_in \
    'type="int32_t" length="3" socket="SUB" role="bind" endpoint="tcp://127.0.0.1:*" topic="yes" count="300"'
start zmq_in/zmq_in --out=got
told "zmq_in: is at tcp://127.0.0.1:"
"$python" - "$port" <<PYTHON || fail "the peer failed" messages
import sys, zmq
data = open("data", "rb").read()
s = zmq.Context().socket(zmq.XPUB)
s.setsockopt(zmq.RCVTIMEO, 60000)
s.connect("tcp://127.0.0.1:" + sys.argv[1])
assert s.recv() == b"\\1yes" # it has subscribed
for t in $tokens:
    s.send_multipart([b"no", b"another size"])
    s.send_multipart([b"yes", t])
s.context.destroy(60000)
PYTHON
ends 0
cmp got data || fail "other messages of a topic"

# ---- signals -------------------------------------------------------------------------------------

for what in INT TERM; do
    start zmq_in/zmq_in --out=got --stall-timeout=0.5
    told "zmq_in: is at tcp://127.0.0.1:"
    sleep 1 # more than it takes a stalled network to be told of
    kill -$what $running
    ends 0
done

# ---- what is wrong ---------------------------------------------------------------------------------

runs 1 zmq_in/zmq_in --out=new -p Part.Receive.endpoint=nowhere
expect "process Part.Receive: endpoint nowhere: Invalid argument" messages
runs 1 zmq_in/zmq_in --out=new -p Part.Receive.endpoint=tcp://192.0.2.1:9 # of nobody
expect "process Part.Receive: endpoint tcp://192.0.2.1:9: " messages
[ ! -e new ] || fail "a file is left"
ports='out=uint8_t[4]'
refuse_part "'REQ' is none of its values: PULL SUB" zmq_in 'length="4" endpoint="ipc://x" socket="REQ"'
refuse_part "'endpoint' needs a value here" zmq_in 'length="4"'
