#!/usr/bin/env bash
# dal:udp_in.xml hands on the packets that come, and says which did not. No sender here sends more than a receive buffer holds.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/net.sh"

# sends PROGRAM: Python sends to the port that the program has told; send(BYTES) is one packet
sends() {
    told "udp_in: receives at 127.0.0.1:"
    python3 - "$port" <<PYTHON || fail "the sender failed" messages
import socket, struct, sys, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
def send(data):
    s.sendto(data, ("127.0.0.1", int(sys.argv[1])))
$1
PYTHON
}

ports='out=uint16_t[8]' part udp_in 'type="uint16_t" length="8" port="0" address="127.0.0.1" header="6" sequence="2"'
receives() { # OPTION...
    start udp_in/udp_in --out=got "$@"
}

# ---- all come ------------------------------------------------------------------------------------

receives -p Part.Receive.count=40
sends 'for i in range(40): send(b"ab" + struct.pack(">I", (0xfffffff0 + i) % 2**32) + struct.pack("8H", *range(i, i + 8)))'
ends 0
python3 -c 'import struct
for i in range(40): print(*range(i, i + 8))' >wanted
od -An -v -w16 -tu2 got | tr -s ' ' | sed 's/^ //' >numbers
cmp numbers wanted || fail "other packets" numbers
[ "$(wc -l <messages)" -eq 1 ] || fail "it tells of a loss" messages

# Packets of a clock that is said to give ten a second.
DAL_STATS=clock.json receives -p Part.Receive.count=20 -p Part.Receive.rate=10
sends 'for i in range(20):
    send(bytes(22))
    time.sleep(0.01)'
ends 0
grep -q '"tokens_per_s": [1-9][.0-9]*, "nominal_per_s": 10, "drift_ppm": [1-9]' clock.json || fail "no drift" clock.json

# ---- some do not come ----------------------------------------------------------------------------

receives -p Part.Receive.count=6
sends 'for i in (7, 8, 12, 10, 13, 14): send(b"ab" + struct.pack(">I", i) + bytes(16))
'
ends 0
has_bytes got 96 || fail "a packet that came late is not there"
expect "6 packets came, 2 are lost, 1 came late or twice" messages
[ "$(wc -l <messages)" -eq 2 ] || fail "it tells more than once" messages

# One that comes twice does not stand for one that is lost, nor does one before the first.
receives -p Part.Receive.count=9
sends 'for i in (7, 8, 10, 10, 8, 6, 75, 9, 74): send(b"ab" + struct.pack(">I", i) + bytes(16))
'
ends 0
expect "9 packets came, 64 are lost, 5 came late or twice" messages

receives -p Part.Receive.count=2
sends 'for n in 22, 21, 23, 0, 22: send(bytes(n))' # the last number is 0 again, late or twice
ends 0
has_bytes got 32 || fail "a packet of another size was handed on"
expect "3 packets did not have 22 bytes, and were dropped" messages

# ---- the end -------------------------------------------------------------------------------------

receives -p Part.Receive.idle=0.2
sends 'send(bytes(22))'
ends 0
has_bytes got 16 || fail "silence: other bytes"

for what in INT TERM; do
    receives --stall-timeout=0.5
    told "udp_in: receives at "
    sleep 1 # more than it takes a stalled network to be told of
    kill -$what $running
    ends 0
    [ "$(wc -l <messages)" -eq 1 ] || fail "SIG$what" messages
done

# ---- a receiver that is too slow -------------------------------------------------------------------

# It is stopped, while more comes than its buffer holds.
receives -p Part.Receive.count=5 -p Part.Receive.buffer=8192
told "udp_in: receives at "
kill -STOP $running
sends 'for i in range(1000): send(b"ab" + struct.pack(">I", i) + bytes(16))'
kill -CONT $running
ends 0
expect "the system dropped 9" messages

receives -p Part.Receive.buffer=1000000000 -p Part.Receive.count=1
sends 'send(bytes(22))'
ends 0
expect "bytes: net.core.rmem_max allows no more" messages

# ---- little-endian numbers, multicast --------------------------------------------------------------

ports='out=uint8_t[3]' part udp_in 'length="3" port="0" address="127.0.0.1" sequence="1" width="2" order="little" count="3"'
receives
sends 'send(b"x\xff\x00"); send(b"x\x00\x01"); send(b"x\x02\x01")'
ends 0
expect "3 packets came, 1 are lost, 0 came late" messages

ports='out=uint8_t[3]' part udp_in 'length="3" port="0" address="239.255.77.3" interface="lo" count="1"'
if has_multicast; then
    receives
    told "udp_in: receives at 239.255.77.3:"
    python3 -c '
import socket, struct, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, struct.pack("4s4si", bytes(4), bytes(4), socket.if_nametoindex("lo")))
s.sendto(b"abc", ("239.255.77.3", int(sys.argv[1])))' "$port"
    ends 0
    [ "$(cat got)" = abc ] || fail "multicast" got
fi
receives -p Part.Receive.address=
told "udp_in: receives at 0.0.0.0:"
kill -TERM $running
ends 0
if has_ipv6; then
    receives -p Part.Receive.address=::1
    told "udp_in: receives at [::1]:"
    python3 -c '
import socket, sys
socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(b"abc", ("::1", int(sys.argv[1])))' "$port"
    ends 0
    [ "$(cat got)" = abc ] || fail "IPv6" got
    receives -p Part.Receive.address=ff02::77
    told "udp_in: receives at [ff02::77%lo]:"
    kill -TERM $running
    ends 0
fi
runs 1 udp_in/udp_in --out=new -p Part.Receive.interface=nowhere
expect "process Part.Receive: interface nowhere: No such device" messages
[ ! -e new ] || fail "a file is left"

# ---- what is wrong ---------------------------------------------------------------------------------

runs 2 udp_in/udp_in --out=new -p Part.Receive.port=65536
expect 'parameter Part.Receive.port=65536: "65536" is out of range: it must be from 0 to 65535' messages
for wrong in idle=-1 rate=-5 count=-1 buffer=-1; do
    runs 2 udp_in/udp_in --out=new -p "Part.Receive.$wrong"
    expect "parameter Part.Receive.$wrong: \"${wrong#*=}\" is out of range: it must be " messages
done
runs 1 udp_in/udp_in --out=new -p Part.Receive.address=nowhere.invalid
expect "process Part.Receive: address nowhere.invalid: " messages
runs 1 udp_in/udp_in --out=new -p Part.Receive.address=192.0.2.1 # of nobody
expect "process Part.Receive: 192.0.2.1:0: Cannot assign requested address" messages
[ ! -e new ] || fail "a file is left"
ports='out=uint8_t[3]'
refuse_part "port: 65536 is too large: it must be at most 65535" udp_in 'length="3" port="65536"'
refuse_part "'length' needs a value here" udp_in 'port="0"'
refuse_part "'middle' is none of its values: big little" udp_in 'length="3" port="0" order="middle"'
network udp_in 'length="3" port="0" width="3"'
run 1 "$dalsynth" -o refused udp_in.xml
expect "width, the bytes of a sequence number, is 1, 2, 4 or 8" messages
network udp_in 'length="3" port="0" sequence="0"'
run 1 "$dalsynth" -o refused udp_in.xml
expect "the sequence number ends behind the packet" messages
