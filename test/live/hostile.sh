#!/usr/bin/env bash
# DAL_VIEW and DAL_CONTROL under attack: clients that drip, more of them than files, some that come as the run ends; lines
# that are none, and names that are not sockets.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
[ -e "$build/rt/libdal-live.la" ] || skip "dal was built without libmicrohttpd"
command -v python3 >/dev/null || skip "python3 is missing"

# Two processes with so many channels that a few of their numbers are more than the system keeps for a client.
channels=100
{
    echo '#include <dal.h>'
    echo '#include <unistd.h>'
    echo 'int source_fire(DALProcess *p)'
    echo '{'
    echo '    int number = 1;'
    echo '    usleep(1000);'
    for ((i = 0; i < channels; i++)); do echo "    DAL_write(PORT_o$i, &number, sizeof(number), p);"; done
    echo '    return 0;'
    echo '}'
} >source.c
{
    echo '#include <dal.h>'
    echo 'int sink_fire(DALProcess *p)'
    echo '{'
    echo '    int number;'
    for ((i = 0; i < channels; i++)); do echo "    DAL_read(PORT_i$i, &number, sizeof(number), p);"; done
    echo '    return 0;'
    echo '}'
} >sink.c
{
    echo '<processnetwork name="wide"><process name="Source" source="source.c"/><process name="Sink" source="sink.c">'
    echo '<parameter name="factor" value="3" live="true"/></process>'
    for ((i = 0; i < channels; i++)); do
        echo "<channel name=\"c$i\" from=\"Source.o$i\" to=\"Sink.i$i\" size=\"4\" type=\"int\" tokenratein=\"1\" tokenrateout=\"1\"/>"
    done
    echo '</processnetwork>'
} >wide.xml
synthesise -o wide wide.xml

has_address() {
    url=$(sed -n 's/.*\(http:[^ ]*\)$/\1/p' messages)
    [ -n "$url" ]
}
attack() { # WHAT: of the program that was started; `end` interrupts it itself
    until_so has_address
    python3 "$source/test/live/hostile.py" "$1" "$url" $running >log 2>&1 || fail "$1" log messages
    [ "$1" = end ] || kill -INT $running
    ended
    [ $status = 0 ] || fail "$1: it ends with $status" messages
}

DAL_VIEW=:0 DAL_VIEW_CLIENTS=4 DAL_VIEW_PATIENCE=1 start wide/wide
attack drip
most=$(ulimit -Sn)
ulimit -Sn 64
DAL_VIEW=:0 DAL_VIEW_PATIENCE=2 start wide/wide
ulimit -Sn "$most"
attack files
DAL_VIEW=:0 start wide/wide
attack end

# A name that is none of a socket's is left as it is.
echo mine >file
ln -s file link
ln -s nowhere dangling
for name in file link dangling . "$(printf 'x%.0s' {1..200})"; do
    DAL_CONTROL=$name run 1 wide/wide
    expect "DAL_CONTROL=$name: " messages
    [ ! -s output ] || fail "DAL_CONTROL=$name: it runs" output
done
[ "$(cat file)" = mine ] && [ -L link ] && [ -L dangling ] && [ ! -e nowhere ] || fail "a file of somebody else"

# Lines: with a zero byte, without an end, of any bytes; with fewer files than there may be clients.
ulimit -Sn 12
DAL_CONTROL=./socket start wide/wide
ulimit -Sn "$most"
until_so test -S socket
python3 - <<'END' >log 2>&1 || fail "lines" log
import os, socket
def tell(data):
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(30)
        s.connect("./socket")
        answer = b""
        try:
            s.sendall(data)
        except OSError:
            pass # refused before all was sent
        try:
            s.shutdown(socket.SHUT_WR)
            while piece := s.recv(4096):
                answer += piece
        except OSError:
            pass
        return answer
assert tell(b"Sink.factor=1\0junk\n") == b"error: the line has a zero byte\n"
assert b"ok:" not in tell(b"Sink.factor=1" * 1000000 + b"\n")
assert b"ok:" not in tell(os.urandom(100000) + b"\n")
assert b"ok:" not in tell(b"Sink.factor=5")
assert tell(b"A" * 8192) == b"error: the line is too long\n"
assert tell(b"Sink.factor=5\n").startswith(b"ok: ")
END
kill -INT $running
ended
[ $status = 0 ] && [ ! -e socket ] || fail "with lines it ends with $status" messages
echo "the page and the socket are not taken in"
