# What the tests of parts share that talk to others, after test/parts/lib.sh. All is on this machine, at ports that are free: a
# program or a peer that opens one tells which.
# shellcheck shell=bash disable=SC2154 # test/lib.sh sets `running` and `status`
command -v python3 >/dev/null || skip "python3 is missing"
python=python3
peer='' # the peer that runs in the background, if any

clean_up_peer() {
    [ -z "$peer" ] || kill -KILL "$peer" 2>/dev/null || true
    clean_up
}
trap clean_up_peer EXIT

# find_zmq: sets `python` to an interpreter that has ZeroMQ; fails without.
find_zmq() {
    for python in python3 /usr/bin/python3; do
        ! "$python" -c 'import zmq' 2>/dev/null || return 0
    done
    return 1
}

says() { # TEXT FILE: has it come?
    grep -qF -e "$1" "$2" 2>/dev/null
}

has_bytes() { # FILE BYTES
    [ "$(stat -c %s "$1" 2>/dev/null)" = "$2" ]
}

# told TEXT: waits until the program that runs says it, and sets `port` to what follows the last colon of that line
told() {
    until_so says "$1" messages
    port=$(grep -F -e "$1" messages | head -n 1)
    port=${port##*:}
}

# peer_starts < PROGRAM: runs Python in the background; what it prints goes to `peer.out`. Waits for its first line, a port, and sets
# `port` to it.
peer_starts() {
    cat >peer.py
    : >peer.out
    "$python" -u peer.py >peer.out 2>peer.err &
    peer=$!
    until [ -s peer.out ] && [ "$(wc -l <peer.out)" -ge 1 ]; do
        kill -0 "$peer" 2>/dev/null || fail "the peer ended by itself" peer.err
        sleep 0.02
    done
    port=$(head -n 1 peer.out)
}

# peer_ended: waits for the peer, which must end well
peer_ended() {
    wait "$peer" || fail "the peer failed" peer.err messages
    peer=
}

# runs STATUS COMMAND...: as run, and ends what never ends
runs() {
    local wanted=$1
    shift
    run "$wanted" timeout 300 "$@"
}

# ends STATUS: the program ends with it, before too long
ends() {
    local looks
    for ((looks = 0; looks < 15000; looks++)); do
        kill -0 $running 2>/dev/null || break
        sleep 0.02
    done
    [ $looks -lt 15000 ] || fail "it does not end" messages
    ended
    [ "$status" -eq "$1" ] || fail "exit status $status instead of $1" messages
}

# has_ipv6: has this machine itself an address of IPv6?
has_ipv6() {
    python3 -c 'import socket; socket.socket(socket.AF_INET6).bind(("::1", 0))' 2>/dev/null || {
        echo "there is no IPv6: ::1 is left out"
        return 1
    }
}

# has_multicast: does it reach this machine itself?
has_multicast() {
    python3 - 2>/dev/null <<'PYTHON'
import socket, struct
r = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
r.bind(("239.255.77.4", 0))
lo = struct.pack("4s4si", socket.inet_aton("239.255.77.4"), bytes(4), socket.if_nametoindex("lo"))
r.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, lo)
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, lo)
s.sendto(b"abc", r.getsockname())
r.settimeout(10)
assert r.recv(9) == b"abc"
PYTHON
}
