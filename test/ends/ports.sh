#!/usr/bin/env bash
# The open ports of a network are files of the program: raw tokens, arrays of NumPy, sounds. What does not fit is refused by the
# port's name, and leaves no file. pipes.sh has them in pipes.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
command -v python3 >/dev/null || skip "python3 is missing"
python3 "$input/ports.py"

# shape NAME TOKENS: a network that hands tokens on, from port in to port out
shape() {
    cat >"$1.xml" <<END
<processnetwork name="$1">
  <port type="input" name="in" $2/>
  <port type="output" name="out" $2/>
  <channel from="in" to="A.in"/>
  <process name="A" source="copy.c"/>
  <channel from="A.out" to="out"/>
</processnetwork>
END
    synthesise -o "$1" "$1.xml"
}
cp "$input"/copy.c "$input"/gain.* .
synthesise -o gain gain.xml
shape rows 'tokentype="float[64]"'
shape shorts 'tokentype="int16_t[2]"'
shape bytes 'tokentype="uint8_t"'
shape plain 'tokensize="6"'

# gained IN OUT [HEADER]: twice the numbers, behind a header of so many bytes
gained() {
    run 0 gain/gain "--samples=$1" "--louder=$2"
    [ ! -s output ] && [ ! -s messages ] || fail "it talks" output messages
    tail -c +$((${3:-0} + 1)) "${2%%,*}" | cmp - wanted || fail "$1 to $2: other tokens"
}
# copied NAME IN OUT SKIP [SKIP]: the same tokens, behind headers
copied() {
    run 0 "$1/$1" "--in=$2" "--out=$3"
    tail -c +$(($4 + 1)) "$2" >a
    tail -c +$((${5:-$4} + 1)) "${3%%,*}" | cmp - a || fail "$2 to $3: other tokens"
}
# field FILE AT BYTES VALUE: a number of a header
field() {
    [ "$(od -An -tu"$3" -j"$2" -N"$3" "$1" | tr -d ' ')" = "$4" ] || fail "$1: another header" <(od -An -tx1 -N44 "$1")
}

gained a.raw new.raw
gained a.raw new.raw # which is there
gained a.raw "$(printf 'x%.0s' {1..255})"
[ "$(echo x*)" = "$(printf 'x%.0s' {1..255})" ] || fail "a long name: something is left" <(ls)
run 0 gain/gain --samples=none --louder=new.raw
[ -e new.raw ] && [ ! -s new.raw ] || fail "nothing does not become nothing"
run 0 gain/gain --samples=/dev/null --louder=/dev/null
cp a.raw same.raw
run 0 gain/gain --samples=same.raw --louder=same.raw
cmp same.raw wanted || fail "a file that is read and written"

# A pipe of somebody who does not want to wait is written to as any other.
python3 - >got <<'END'
import os, subprocess
reading, writing = os.pipe()
os.set_blocking(writing, False)
program = subprocess.Popen(["gain/gain", "--samples=/dev/zero", "--louder=-"], stdout=writing)
os.close(writing)
many = 0
while many < 1000000:
    many += len(os.read(reading, 65536) or b"x" * 2000000)
os.close(reading)
print(many < 2000000, program.wait())
END
[ "$(cat got)" = "True 0" ] || fail "a pipe that does not wait" got

# ---- arrays of NumPy -----------------------------------------------------------------------------

for version in 1 2 3; do
    gained version$version.npy new.npy 128
done
grep -aq "^.NUMPY..v.{'descr': '<f4', 'fortran_order': False, 'shape': (6400,), } *$" <(tr '\223\1\0' '...' <new.npy) ||
    fail "another header" <(head -c 128 new.npy)
copied rows rows.npy new.npy 128
grep -aq "'shape': (100, 64), }" new.npy || fail "tokens of several elements are no rows"
copied rows deep.npy new.npy 128
copied rows version1.npy new.npy 128 # one dimension: whole tokens
copied rows none new.npy 0 128
grep -aq "'shape': (0, 64), }" new.npy || fail "another shape of nothing"
copied plain six.npy new.npy 128
grep -aq "'descr': '|V6', 'fortran_order': False, 'shape': (100,), }" new.npy || fail "another type of what has none"
copied bytes bytes.npy new.npy 128
grep -aq "'descr': '|u1'" new.npy || fail "another type of bytes"
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    /usr/bin/python3 -c 'import numpy; numpy.save("own.npy", numpy.arange(6400, dtype="f4").reshape(100, 64))'
    run 0 rows/rows --in=own.npy --out=new.npy
    /usr/bin/python3 -c 'import numpy
a, b = numpy.load("own.npy"), numpy.load("new.npy")
assert a.dtype == b.dtype and a.shape == b.shape and (a == b).all()' || fail "NumPy reads another array"
fi

# ---- sounds --------------------------------------------------------------------------------------

gained float.wav new.wav,rate=8000 44
field new.wav 4 4 25636
field new.wav 20 2 3
field new.wav 24 4 8000
field new.wav 28 4 32000
field new.wav 40 4 25600
gained float.wav new.wav 44
run 0 gain/gain --samples=a.raw --louder=new,1.wav,rate=8000 # a comma in its name
field new,1.wav 24 4 8000
run 0 gain/gain --samples=new,1.wav --louder=new
[ "$(stat -c %s new)" -eq 25600 ] || fail "a comma in a name hides its ending"
field new.wav 24 4 48000
for file in zero killed endless half most chunk extensible long; do
    gained $file.wav new.raw
done
run 0 gain/gain --samples=empty.wav --louder=new.raw
[ ! -s new.raw ] || fail "a chunk behind no samples is read"
run 0 shorts/shorts --in=short.wav --out=new.WAV,channels=2,rate=8000
tail -c +45 new.WAV | cmp - a.raw || fail "other samples of 16 bits"
field new.WAV 20 2 1
field new.WAV 22 2 2
field new.WAV 34 2 16
copied shorts new.WAV new.raw 44 0
run 0 bytes/bytes --in=bytes.npy --out=new.wav
field new.wav 34 2 8
head -c 99 a.raw >odd.raw
run 0 bytes/bytes --in=odd.raw --out=new.wav # a chunk begins at an even byte
field new.wav 4 4 136
field new.wav 40 4 99
[ "$(stat -c %s new.wav)" -eq 144 ] || fail "a sound of odd length ends at byte $(stat -c %s new.wav)"
run 0 bytes/bytes --in=new.wav --out=new.raw
cmp new.raw odd.raw || fail "a sound of odd length: other bytes"

# ---- what is refused -----------------------------------------------------------------------------

rm new*
echo old >new
# refused TEXT IN OUT [PROGRAM INPUT OUTPUT]: and what was there stays
refused() {
    run 1 "${4:-gain/gain}" "--${5:-samples}=$2" "--${6:-louder}=$3"
    expect "$1" messages
    [ "$(cat new)" = old ] && [ "$(echo new*)" = new ] || fail "$1: a file is left, or an older one is not" <(ls new*)
}
refused "port samples: double.npy: its elements are '<f8', those of a token float" double.npy new
refused "port samples: turned.npy: its elements are '>f4', those of a token float" turned.npy new
refused "port in: object.npy: its elements are '|O8', those of a token 6 bytes" object.npy new plain/plain in out
refused "port samples: fields.npy: its header has no plain type and shape" fields.npy new
refused "port samples: order.npy: its header has no plain type and shape" order.npy new
refused "port samples: rows.npy: a row has 256 bytes, and a token 4" rows.npy new
refused "port samples: cut.npy: it ends after 6400 of 6401 tokens" cut.npy new
refused "port in: cut.npy: 25604 bytes are no whole number of tokens of 256" cut.npy new rows/rows in out
refused "port in: columns.npy: it is in the order of Fortran, columns first" columns.npy new rows/rows in out
refused "port samples: scalar.npy: it is one element, and no array" scalar.npy new
refused "port samples: huge.npy: its shape is too large" huge.npy new
refused "port samples: header.npy: it ends within its header" header.npy new
refused "port samples: long.npy: its header is too long" long.npy new
refused "port samples: other.npy: it is no array of NumPy" other.npy new
refused "port samples: other.wav: it is no RIFF WAVE" other.wav new
refused "port samples: short.wav: its samples are integers of 16 bits, the elements of a token float" short.wav new
refused "port samples: packed.wav: its samples are compressed of 32 bits" packed.wav new
refused "port samples: stereo.wav: it has 2 channels, and a token of 4 bytes has no whole frames" stereo.wav new
refused "port samples: cut.wav: it ends after 6400 of 6500 tokens" cut.wav new
refused "port samples: cut_long.wav: it ends after 6400 of 6500 tokens" cut_long.wav new
refused "port samples: late.wav: it has samples before their format" late.wav new
refused "port louder: new.wav: ',rate=x': ,rate=NUMBER and ,channels=NUMBER may stand behind it" a.raw new.wav,rate=x
refused "port louder: new.wav: a token of 1 samples is no frames of 2" a.raw new.wav,channels=2
for terms in channels=65536 channels=1000000000 channels=16384 rate=1000000000,channels=2; do
    refused "port louder: new.wav: its header has no room for" a.raw new.wav,$terms
done
for file in unsaid silent; do
    refused "port samples: $file.wav: it does not say how long it is: 0, and has bytes behind that" $file.wav new
done
{ head -c 34 float.wav && printf '\0\0' && tail -c +37 float.wav; } >bits.wav
refused "port samples: bits.wav: its samples have 0 bits" bits.wav new
refused "port louder: new.npy: ',rate=3': nothing may stand behind it" a.raw new.npy,rate=3
refused "port samples: float.wav: ',rate=3': nothing may stand behind it" float.wav,rate=3 new
refused "port out: new.wav: the elements of a token, 6 bytes, are no samples" six.npy new.wav plain/plain in out
refused "port samples: part.raw: 1001 bytes are no whole number of tokens of 4" part.raw new
refused "port samples: nowhere/x: No such file or directory" nowhere/x new
refused "port louder: nowhere/x cannot be written: No such file or directory" a.raw nowhere/x
refused "port louder: /dev/full: cannot be written: No space left on device" a.raw /dev/full
mkdir folder
refused "port samples: folder: Is a directory" folder new
refused "port louder: folder cannot be written: Is a directory" a.raw folder
if [ "$(id -u)" -ne 0 ]; then
    chmod a-r six.npy
    refused "port in: six.npy: Permission denied" six.npy new plain/plain in out
    chmod a-w folder
    refused "port louder: folder/x cannot be written: Permission denied" a.raw folder/x
fi
mkfifo fifo.npy # nobody reads it
refused "port louder: fifo.npy: it is a pipe, and its header is written at the end" a.raw fifo.npy
run 1 bash -c 'trap "" XFSZ; ulimit -f 8; exec "$@"' - gain/gain --samples=a.raw --louder=new
expect "port louder: new: cannot be written: File too large" messages
[ "$(cat new)" = old ] || fail "a file is half written" new
# ---- other ends ----------------------------------------------------------------------------------

cat >bad.c <<'END'
#include "dal.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void end_child(void)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
        raise(SIGTERM);
        _exit(0);
    }
    waitpid(pid, &status, 0);
    fprintf(stderr, "a child ends by %d\n", WTERMSIG(status));
}

int Gain_fire(DALProcess *p)
{
    const char *how = DAL_getParameter("how", p);
    char x[256];
    DAL_read(PORT_in, x, sizeof(x), p);
    DAL_write(PORT_out, x, sizeof(x), p);
    if (strcmp(how, "fork") == 0)
        end_child();
    else if (strcmp(how, "start") == 0)
        return system("while echo y; do :; done 2>said | head -n 1 >got") == 0;
    else if (strcmp(how, "pause") == 0)
        pause();
    else if (strcmp(how, "exit") == 0)
        exit(0);
    else if (strcmp(how, "quick") == 0)
        quick_exit(3);
    else
        raise(atoi(how));
    return 1;
}
END
sed 's/"gain"/"bad"/; s/gain.cl gain.c/bad.c/; s/ data[^>]*"1"/ type="io"/; s/name="by" value="2"/name="how" value=""/' gain.xml >bad.xml
synthesise -o bad bad.xml
run 0 bad/bad --samples=a.raw --louder=new -p Gain.how=fork
expect "a child ends by 15" messages
# What a process starts ends by its pipe.
run 0 bad/bad --samples=a.raw --louder=new -p Gain.how=start
[ "$(cat got)" = y ] && [ ! -s said ] || fail "what a process starts ignores a pipe" said
echo old >new
# left STATUS HOW [OPTION]: such an end leaves no file, and an older one as it was
left() {
    run "$1" bad/bad --samples=a.raw --louder=new -p "Gain.how=$2" "${@:3}"
    [ "$(cat new)" = old ] && [ "$(echo new*)" = new ] || fail "$2: a file is left" <(ls new*)
}
ulimit -c 0
left 1 exit
left 1 quick
left 1 pause --io-timeout=0.1
for signal in HUP QUIT XCPU XFSZ; do
    left $((128 + $(kill -l $signal))) "$(kill -l $signal)"
done
if [ -z "${DAL_SANITIZER:-}" ]; then
    left 139 "$(kill -l SEGV)"
    left 134 "$(kill -l ABRT)"
fi
echo "ports: arrays of NumPy, sounds, raw tokens; what does not fit is refused"
