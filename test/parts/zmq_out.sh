#!/usr/bin/env bash
# dal:zmq_out.xml sends each token as a message of ZeroMQ.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/net.sh"
find_zmq || skip "there is no python3 with zmq"
pkg-config --exists libzmq || skip "libzmq is missing"

python3 -c 'import sys; sys.stdout.buffer.write(bytes(i * 7 % 251 for i in range(300 * 12)))' >data

# pulls KIND WHERE DOES: Python opens sockets, binds or connects them, and receives
pulls() {
    cat <<PYTHON
import sys, zmq
data = open("data", "rb").read()
context = zmq.Context()
def open_socket(topic=None):
    s = context.socket(zmq.$1)
    s.setsockopt(zmq.RCVTIMEO, 60000)
    if topic is not None: s.setsockopt(zmq.SUBSCRIBE, topic)
    $2
    return s
$3
PYTHON
}
visit='s.connect("tcp://127.0.0.1:" + sys.argv[1])'
serve='print(s.bind_to_random_port("tcp://127.0.0.1"))'

# ---- PUSH ----------------------------------------------------------------------------------------

ports='in=int32_t[3]' part zmq_out 'type="int32_t" length="3" endpoint="tcp://127.0.0.1:*" ending="1"'
start zmq_out/zmq_out --in=data
told "zmq_out: is at tcp://127.0.0.1:"
pulls PULL "$visit" 's = open_socket()
for i in range(300): assert s.recv() == data[12 * i:12 * i + 12], i
assert s.recv() == b""' >peer.py
"$python" peer.py "$port" || fail "other messages" messages
ends 0

# To several, each message once; what ZeroMQ keeps is small, so it has to wait for them.
start zmq_out/zmq_out --in=data -p Part.Send.queue=1 -p Part.Send.ending=0
told "zmq_out: is at tcp://127.0.0.1:"
pulls PULL "$visit" 'a, b = open_socket(), open_socket()
got = []
poller = zmq.Poller()
poller.register(a)
poller.register(b)
while len(got) < 300:
    ready = poller.poll(60000)
    assert ready
    for s, _ in ready: got.append(s.recv())
assert sorted(got) == sorted(data[i:i + 12] for i in range(0, 3600, 12))' >peer.py
"$python" peer.py "$port" || fail "other messages to two" messages
ends 0

# It goes to one that waits.
ports='in=int32_t[3]' part zmq_out 'type="int32_t" length="3" role="connect" endpoint="tcp://127.0.0.1:1"'
pulls PULL "$serve" 's = open_socket()
for i in range(300): assert s.recv() == data[12 * i:12 * i + 12], i' >both.py
peer_starts <both.py
runs 0 zmq_out/zmq_out --in=data -p Part.Send.endpoint="tcp://127.0.0.1:$port"
peer_ended

# Nobody is there: nothing is kept for that one, and it waits.
start zmq_out/zmq_out --in=data -p Part.Send.endpoint=tcp://127.0.0.1:1 --stall-timeout=0.5
sleep 1
kill -TERM $running
ends 0
expect "zmq_out: tcp://127.0.0.1:1: nobody has come" messages

# Somebody takes the first message, and then nothing: one signal is enough.
pulls PULL "s.setsockopt(zmq.RCVHWM, 1); $serve" 's = open_socket()
s.recv()
open("took", "w")
import time
time.sleep(600)' >both.py
peer_starts <both.py
start zmq_out/zmq_out --in=/dev/zero -p Part.Send.endpoint="tcp://127.0.0.1:$port" -p Part.Send.queue=1 -p Part.Send.linger=0
until_so [ -e took ]
sleep 1 # until all that keeps messages is full
kill -TERM $running
ends 0
kill -KILL "$peer"
wait "$peer" || true
peer=

# The end waits for one that is slow, but not for ever. A message is more than the system keeps.
head -c 48000000 /dev/zero >large
slow='s.setsockopt(zmq.RCVHWM, 1); s.setsockopt(zmq.RCVBUF, 65536)'
slowly='import time
s = open_socket()
size = 1
while size:
    time.sleep(float(sys.argv[2]))
    size = len(s.recv())'
ports='in=uint8_t[8000000]' part zmq_out 'length="8000000" endpoint="tcp://127.0.0.1:*" ending="1" queue="1"'
start zmq_out/zmq_out --in=large
told "zmq_out: is at tcp://127.0.0.1:"
pulls PULL "$slow; $visit" "$slowly" >peer.py
"$python" peer.py "$port" 0.3 || fail "a slow one sees no end" messages
ends 0
start zmq_out/zmq_out --in=large -p Part.Send.linger=0.1
told "zmq_out: is at tcp://127.0.0.1:"
"$python" peer.py "$port" 2 2>log &
peer=$!
ends 0
expect "zmq_out: tcp://127.0.0.1:*: the end was not taken" messages
kill -KILL $peer
wait $peer || true
peer=

# ---- PUB -----------------------------------------------------------------------------------------

# Who is slow, but gets all, sees the end as well.
ports='in=uint8_t[8000000]' part zmq_out 'length="8000000" socket="PUB" endpoint="tcp://127.0.0.1:*" ending="1" queue="1"'
for count in 3 4 5; do
    head -c $((count * 8000000)) large >some
    start zmq_out/zmq_out --in=some
    told "zmq_out: is at tcp://127.0.0.1:"
    pulls SUB "$slow; $visit" "import time
s = open_socket(b'')
time.sleep(1)
for i in range($count):
    if s.poll(2000) == 0: sys.exit(0)
    s.recv()
assert s.poll(2000) and s.recv() == b''" >peer.py
    "$python" peer.py "$port" || fail "a slow subscriber sees no end after $count" messages
    ends 0
done

ports='in=int32_t[3]' part zmq_out \
    'type="int32_t" length="3" socket="PUB" endpoint="tcp://127.0.0.1:*" topic="yes" subscribers="2"'
start zmq_out/zmq_out --in=data
told "zmq_out: is at tcp://127.0.0.1:"
pulls SUB "$visit" 'import time
other, gone = open_socket(b"other"), open_socket(b"yes")
time.sleep(0.5)
gone.close(0)
time.sleep(0.5)
a = open_socket(b"yes")
assert a.poll(500) == 0 # it waits for another one of its topic
b = open_socket(b"yes")
for s in a, b:
    for i in range(300): assert s.recv_multipart() == [b"yes", data[12 * i:12 * i + 12]], i' >peer.py
"$python" peer.py "$port" || fail "other messages to subscribers" messages
ends 0

# ---- signals -------------------------------------------------------------------------------------

for what in INT TERM; do # nobody subscribes
    start zmq_out/zmq_out --in=data --stall-timeout=0.5
    told "zmq_out: is at tcp://127.0.0.1:"
    sleep 1 # more than it takes a stalled network to be told of
    kill -$what $running
    ends 0
    expect "zmq_out: tcp://127.0.0.1:*: nobody has come" messages
done

# ---- what is wrong ---------------------------------------------------------------------------------

runs 1 zmq_out/zmq_out --in=data -p Part.Send.endpoint=nowhere
expect "process Part.Send: endpoint nowhere: Invalid argument" messages
ports='in=uint8_t[4]'
refuse_part "'REP' is none of its values: PUSH PUB" zmq_out 'length="4" endpoint="ipc://x" socket="REP"'
refuse_part "'length' needs a value here" zmq_out 'endpoint="ipc://x"'
