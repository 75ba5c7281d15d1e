#!/usr/bin/env bash
# Processes in Python: in programs, in libraries, and in a program of Python; what is wrong with them is told by line.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

pkg-config --exists python3-embed || skip "there is no python3-embed (python3-dev)"
[ -z "${DAL_SANITIZER:-}" ] || skip "an interpreter is not built with sanitizers"
cp -r "$source"/test/python/processes net
chmod -R u+w net
cd net
"$dalinfo" --architecture -o arch.xml >/dev/null
# The interpreter that is linked with must have NumPy, whatever python3 in PATH has.
synthesise -o count phases.xml
count/phases >output 2>messages || ! grep -q 'no NumPy' messages || skip "the interpreter has no NumPy"

# Phases, one with an empty window, state, and an end.
run 0 count/phases
[ "$(tr '\n' ' ' <output)" = '0 0 0 1 2 2 0 3 0 4 2 5 ' ] || fail "other phases" output

# C, Python and C again, with two rates, a float and a structure: the same bytes on one core and on two.
bind() { # PROCESS PROCESSOR
    echo "<binding name=\"$1\"><process name=\"$1\"/><processor name=\"$2\"/></binding>"
}
mapping() { # FILE BINDING...
    echo "<mapping name=\"map\" processnetwork=\"net\">${*:2}</mapping>" >"$1"
}
mapping one.xml "$(bind '*' core_0)"
mapping two.xml "$(bind Sum core_0)" "$(bind Source core_1)" "$(bind Sink core_1)"
for map in one two; do
    synthesise -o $map net.xml arch.xml $map.xml
    run 0 $map/net
    mv output $map.output
done
cmp one.output two.output
[ "$(sed -n '3p;80p' one.output | tr '\n' ' ')" = '42 250 -1 -3 2 0 21 1428 250 -1 -3 79 1 714 ' ] || fail "other sums" one.output
expect 'fired for 80 sums' messages

# Nothing changes the environment once there are threads, for drivers read it meanwhile.
cat >changes.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void tell(const char *name)
{
    if (gettid() != getpid())
        fprintf(stderr, "a thread changes %s\n", name);
}
int setenv(const char *name, const char *value, int overwrite)
{
    tell(name);
    return ((int (*)(const char *, const char *, int))dlsym(RTLD_NEXT, "setenv"))(name, value, overwrite);
}
int unsetenv(const char *name)
{
    if (getenv(name)) /* else nothing changes */
        tell(name);
    return ((int (*)(const char *))dlsym(RTLD_NEXT, "unsetenv"))(name);
}
END
${CC:-cc} -shared -fPIC -o changes.so changes.c -ldl >log 2>&1 || fail "the library that looks at changes" log
run 0 env LD_PRELOAD="$PWD/changes.so" two/net
! grep 'a thread changes' messages || fail "the environment is changed"

# The program reads the source when it runs, and a rule of make knows it.
synthesise --depends=rule -o one net.xml arch.xml one.xml
expect sum.py: rule

# wrong FILE SED-SCRIPT TEXT: dalsynth refuses it. fails FILE SED-SCRIPT TEXT: the program does.
wrong() {
    cp "$1" kept
    sed -i "$2" "$1"
    run 1 "$dalsynth" --check net.xml arch.xml "${mapped:-one}.xml"
    expect "$3" messages
    mv kept "$1"
}
fails() {
    cp "$1" kept
    sed -i "$2" "$1"
    run 1 one/net
    expect "$3" messages
    mv kept "$1"
}
wrong sum.py '/sums = /s/\* p/* * p/' 'sum.py:11:48: error: [python-source] invalid syntax'
wrong sum.py 's/def fire/def fires/' "sum.py:1: error: [python-source] it defines no function 'fire(p)'"
wrong net.xml 's/sum.py"/sums.py"/' "[missing-source-file]"
wrong net.xml 's/sum.py"/sum.py" cflags="-O2"/' '[no-effect]'
wrong net.xml '/Sum.in/s/tokenrateout="6"/tokenrateout="dynamic"/' "[python-process] port 'in' of process 'Sum' has a dynamic rate"
mapping wide.xml "$(bind '*' 'core_*')"
mapped=wide wrong net.xml 's/sum.py"/sum.py" stateless="true" shadowcopies="2"/' "[python-process] process 'Sum' cannot have 2 shadow copies"
sed 's/sum.py"/sum.py" shadowcopies="2"/' net.xml >copies.xml
run 0 "$dalsynth" --check copies.xml arch.xml one.xml
expect "[no-effect] process 'Sum': shadowcopies mean nothing, since it is in Python" messages
wrong net.xml '/Sum.out/s/type/most="2" type/; /Sum.out/s/tokenrate[a-z]*="."//g' "[python-process] port 'out' of process 'Sum' has a counted channel"
PKG_CONFIG=false wrong net.xml '' '(Debian: python3-dev)'
fails sum.py 's/def fire/def fires/' "process Sum: TypeError: "
fails sum.py 's/"gain"/"gains"/' "net/sum.py:11 in fire: KeyError: 'gains'"
fails sum.py 's/p.number = 0/0 \/ 0/' "net/sum.py:7 in init: ZeroDivisionError"
fails sum.py 's/p.out/p.outs/' "net/sum.py:12 in fire: AttributeError: p has no attribute 'outs'"
fails sum.py 's/^    p.out.*/    pass/' "process Sum: fire writes nothing to port 'out'"
fails sum.py 's/p.number += 2/p.kept = p.out[1:]; p.number += 2/' "process Sum: fire keeps the window of port 'out'"
fails sum.py 's/p.number += 2/return sums/' "process Sum: fire returns ndarray"
fails sum.py '12s/.*/    p["in"][0] = 1/' "assignment destination is read-only"
fails sum.py '12s/.*/    p.constants["few"][0] = 1/' "assignment destination is read-only"
fails sum.py 's/print(.*/sys.exit(3)/' "net/sum.py:22 in finish: SystemExit"
mv sum.py away.py
run 1 one/net
expect "FileNotFoundError" messages
mv away.py sum.py

# At the ends of a channel that keeps the newest token alone: no frame is torn, and a record gives the same bytes again.
cat >newest.xml <<'END'
<processnetwork name="net">
  <process name="Camera" source="camera.py"/>
  <process name="Show" source="show.py"/>
  <channel name="Frames" from="Camera.out" to="Show.in" type="int32_t[4096]" newest="true"/>
</processnetwork>
END
cat >camera.py <<'END'
def init(p):
    p.sent = 0


def fire(p):
    if p.sent == 300:
        return True
    p["out"][0][:] = p.sent
    p.sent += 1
END
cat >show.py <<'END'
def fire(p):
    frame = p["in"][0]
    print(frame[0] if (frame == frame[0]).all() else "torn")
END
sed 's/newest="true"/& repeat="true"/' newest.xml >again.xml
mapping apart.xml "$(bind Camera core_0)" "$(bind Show core_1)"
for network in newest again; do
    for map in one apart; do
        synthesise -o $network.$map $network.xml arch.xml $map.xml
    done
    DAL_RECORD=record run 0 $network.apart/net
    ! grep -q torn output && sort -n -C output && [ "$(tail -n 1 output)" = 299 ] || fail "torn or old frames, or not the last one: $network" output
    mv output first
    for map in one apart; do
        DAL_REPLAY=record run 0 $network.$map/net
        cmp output first || fail "a replay has other bytes: $network $map"
    done
done

# One parameter is one number in C and in Python. A truth value of NumPy ends. Files of a module are written, also when it fails.
cat >given.xml <<'END'
<processnetwork name="given">
  <process name="C" source="c.c">
    <parameter name="i" value="1"/><parameter name="f" value="1" type="float"/>
  </process>
  <process name="Py" source="py.py">
    <parameter name="i" value="1"/><parameter name="f" value="1" type="float"/>
    <parameter name="u" value="18446744073709551615" type="ulong"/><parameter name="t" value="1_000"/>
  </process>
  <channel from="C.out" to="Py.in" type="double[2]"/>
</processnetwork>
END
cat >c.c <<'END'
#include "dal.h"
int C_fire(DALProcess *p)
{
    long i;
    double x[2];
    DAL_getParameterInt("i", &i, p);
    DAL_getParameterDouble("f", &x[1], p);
    x[0] = (double)i;
    DAL_write(PORT_out, x, sizeof(x), p);
    return 0;
}
END
cat >py.py <<'END'
import csv

import numpy as np

log = csv.writer(open("rows", "w"))


def fire(p):
    i, f, u, t = p.parameters.values()
    print(i, f, u, t, *p["in"][0], type(t).__name__)
    log.writerow([i, f])
    if t == "fail":
        error = ValueError("boom")
        if hasattr(error, "add_note"):
            error.add_note("while it tries")
        raise error
    return np.bool_(i == 7)
END
synthesise -o given given.xml
given() { # STATUS NUMBER TEXT
    run "$1" given/given -p C.i="$2" -p Py.i="$2" -p C.f="$2" -p Py.f="$2" -p Py.t="$3"
    [ -s rows ] || fail "a file of a module lacks what was written"
    rm rows
}
for text in 1_000 Infinity nan; do
    given 0 7 $text
    [ "$(cat output)" = "7 7.0 18446744073709551615 $text 7.0 7.0 str" ] || fail "another number" output
done
for number in 010 0x2 -0X1f; do
    given 1 $number fail
    awk '$1 != $5 || $2 != $6 { exit 1 }' output || fail "$number is another number in Python" output
    expect "ValueError: boom" messages
done
[ "$(cut -d ' ' -f 1,2 output)" = "-31 -31.0" ] || fail "no numbers" output

# No device runs it.
sed 's|</architecture>|<processor name="gpu" type="GPU"><capability name="OPENCL" identifier="GPU_DEV1"/></processor>&|' arch.xml >device.xml
mapping gpu.xml "$(bind Sum gpu)" "$(bind '*' core_0)"
run 1 "$dalsynth" --check net.xml device.xml gpu.xml
expect '[capability-mismatch]' messages

# What is written flat has the same process.
run 0 "$build/tools/dal" expand net.xml
expect 'type="python"' output
! grep -q 'python3' output || fail "the flat network has options of this machine" output

# In a library that a C program opens as a plugin, which keeps its symbols for itself.
synthesise --library -o move move.xml
cat >plugin.c <<'END'
#include "move.h"
#include <stdio.h>
int use(void)
{
    struct dal_run *run;
    float x[4] = {0, 1, 2, 3}, y[4];
    if (move_open(&run, NULL) < 0)
        return puts(dal_run_message(NULL)), 1;
    move_write_samples(run, x, 4, DAL_FOREVER);
    move_end_samples(run);
    move_read_moved(run, y, 4, DAL_FOREVER);
    printf("%g %g\n", y[0], y[3]);
    return dal_run_close(run) < 0;
}
END
cat >main.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
    int (*use)(void);
    if (!plugin)
        return puts(dlerror()), 1;
    *(void **)&use = dlsym(plugin, "use");
    return use() || use();
}
END
export PKG_CONFIG_PATH=$build${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
read -ra flags < <(pkg-config --cflags --libs dal-uninstalled)
cc -shared -fPIC -Imove -o plugin.so plugin.c move/libmove.so "${flags[@]}" -Wl,-rpath,"$PWD/move:$build/rt/.libs"
cc -o main main.c -ldl
run 0 ./main
[ "$(tr '\n' ' ' <output)" = '2 5 2 5 ' ] || fail "other numbers" output

# Python opens a library, whose processes share its interpreter.
find_numpy || skip "there is no python3 with numpy"
export PATH=$build/tools:$build/synth:$PATH PYTHONPATH=$source/python PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME=$work/cache
cat >use.py <<'END'
import sys
import threading
from pathlib import Path

import dal
import numpy as np

net = dal.Network("move.xml")
print(net(samples=np.arange(4, dtype="float32"))["moved"])
with net.open({"Move_0.by": 10}) as a, net.open() as b:
    for run in a, b:
        threading.Thread(target=run.samples.write, args=(np.zeros(1000, "float32"),)).start()
    print(a.moved.read(1000).sum(), b.moved.read(1000).sum())
    a.set("Move_0.by", 100)
    a.samples.write(np.zeros(2, "float32"))
    print(a.moved.read(2))
try:
    net(samples=np.float32([0, 1, 2, -1]))
except dal.Error as error:
    print(error)
for _ in range(20):
    net(samples=np.zeros(4, "float32"))
Path("move.py").write_text("def fire(p):\n    pass\n\n\n0 / 0\n")
try:
    net(samples=np.zeros(4, "float32"))
except dal.Error as error:
    print(error)
print([name for name in sys.modules if name.startswith("_dal_")], "are left")
END
run 0 "$python" -X dev use.py
expect '[2. 3. 4. 5.]' output
expect '11000.0 2000.0' output
expect '[101. 101.]' output
expect 'move.py:8 in fire: ValueError: process 0 has seen 4 tokens' output
expect 'move.py:5 in <module>: ZeroDivisionError' output
expect '[] are left' output

