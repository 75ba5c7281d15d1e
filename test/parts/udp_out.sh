#!/usr/bin/env bash
# dal:udp_out.xml sends each token as a packet. What is sent here fits in the buffer of its receiver.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
. "$source/test/parts/net.sh"

python3 -c 'import sys; sys.stdout.buffer.write(bytes(i * 7 % 251 for i in range(40 * 16)))' >data

# receives HEADER ADDRESS [SETUP]: Python receives 40 packets, and says what it has got: headers in hexadecimal, then a file `got`
receives() {
    peer_starts <<PYTHON
import socket, struct
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 17)
s.bind(("$2", 0))
${3:-}
print(s.getsockname()[1])
s.settimeout(60)
with open("got", "wb") as got:
    for i in range(40):
        packet = s.recv(1000)
        print(packet[:$1].hex())
        got.write(packet[$1:])
PYTHON
}

same() {
    peer_ended
    cmp got data || fail "other packets"
    tail -n +2 peer.out >headers
}

ports='in=uint32_t[4]' part udp_out 'type="uint32_t" length="4" address="127.0.0.1" port="9"'
receives 0 127.0.0.1
runs 0 udp_out/udp_out --in=data -p Part.Send.port="$port"
same
[ ! -s messages ] || fail "it says something" messages

ports='in=uint8_t[16]' part udp_out 'length="16" address="127.0.0.1" port="9" header="4" sequence="1" width="2"'
receives 4 127.0.0.1
runs 0 udp_out/udp_out --in=data -p Part.Send.port="$port"
same
cmp headers <(python3 -c 'for i in range(40): print("%08x" % (i << 8))') || fail "other numbers" headers

# Where a name has addresses of IPv6, too, it is that of IPv4, as it is for udp_in.
receives 4 127.0.0.1
runs 0 udp_out/udp_out --in=data -p Part.Send.port="$port" -p Part.Send.address=
same

# ---- multicast -------------------------------------------------------------------------------------

if has_multicast; then
    receives 4 239.255.77.5 'lo = struct.pack("4s4si", socket.inet_aton("239.255.77.5"), bytes(4), socket.if_nametoindex("lo"))
s.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, lo)'
    runs 0 udp_out/udp_out --in=data -p Part.Send.address=239.255.77.5 -p Part.Send.interface=lo -p Part.Send.port="$port"
    same
fi

# ---- nobody receives, signals ----------------------------------------------------------------------

runs 0 udp_out/udp_out --in=data -p Part.Send.port=9
expect "udp_out: 127.0.0.1:9: nobody received what was sent" messages
[ "$(wc -l <messages)" -eq 1 ] || fail "it tells more than once" messages

mkfifo fifo
start bash -c 'exec udp_out/udp_out --in=fifo -p Part.Send.port=9'
exec 9>fifo
sleep 0.5
kill -TERM $running
ends 0
exec 9>&-

# ---- what is wrong ---------------------------------------------------------------------------------

runs 2 udp_out/udp_out --in=data -p Part.Send.port=0
expect 'parameter Part.Send.port=0: "0" is out of range: it must be from 1 to 65535' messages
runs 1 udp_out/udp_out --in=data -p Part.Send.address=nowhere.invalid
expect "process Part.Send: address nowhere.invalid: " messages
runs 1 udp_out/udp_out --in=data -p Part.Send.address=255.255.255.255
expect "process Part.Send: 255.255.255.255:9: Permission denied" messages
ports='in=uint8_t[16]'
refuse_part "'port' needs a value here" udp_out 'length="16" address="127.0.0.1"'
network udp_out 'length="16" address="127.0.0.1" port="9" header="4" sequence="1"'
run 1 "$dalsynth" -o refused udp_out.xml
expect "the sequence number is no part of the header" messages
