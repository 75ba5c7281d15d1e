#!/usr/bin/env bash
# The file of statistics (DAL_STATS=FILE): what programs can read of a run is what the run has done. On cores, with
# copies, with a process that takes long, on a device, with rates that are dynamic; a file that cannot be written.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

command -v python3 >/dev/null || skip "python3 is missing"

# holds FILE: python's standard input is so of it. `p` has its processes by name, `c` its channels.
holds() {
    {
        cat <<'END'
import json, sys
stats = json.load(open(sys.argv[1]))
p = {entry["process"]: entry for entry in stats["processes"]}
c = {entry["channel"]: entry for entry in stats["channels"]}
assert stats["dal-stats"] == 1 and stats["version"] and stats["wall_ns"] > 0, stats
assert len(p) == len(stats["processes"]) and len(c) == len(stats["channels"])
assert not any(isinstance(value, float) for entry in p.values() for value in entry.values())
for name, entry in p.items():
    assert entry["type"] in ("c", "opencl", "kpn") and len(entry["key"]) == 32, entry
    assert 0 <= entry["first_ns"] <= entry["last_ns"] <= stats["wall_ns"], entry
    assert entry["busy_ns"] <= entry["firing_ns"] <= entry["copies"] * stats["wall_ns"], entry
    assert entry["device_ns"] == (entry["firing_ns"] if entry["type"] == "opencl" else 0), entry
for name, entry in c.items():
    assert entry["from"]["process"] in p and entry["to"]["process"] in p, entry
    assert entry["left"] <= entry["capacity"], entry
    assert entry["bytes_copied"] + entry["bytes_in_place"] >= entry["tokens"] * entry["token_bytes"], entry
    for key in ("token", "space"):
        assert (entry[key + "_waits"] == 0) == (entry[key + "_wait_ns"] == 0), entry
        assert entry[key + "_wait_ns"] <= stats["wall_ns"], entry
END
        cat
    } >check.py
    python3 check.py "$1" 2>log || fail "$1" log "$1"
    passed=$((passed + 1))
}

cat >source.c <<'END'
#include <dal.h>
#include <stdlib.h>
struct _local_states { int next; };
int Source_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->next, 4, p);
    return ++p->local->next == atoi(DAL_getParameter("tokens", p));
}
END
cat >pass.c <<'END'
#include <dal.h>
#include <stdlib.h>
#include <time.h>
int Pass_fire(DALProcess *p)
{
    struct timespec time = {0, 1000 * atol(DAL_getParameter("us", p))};
    int number;
    DAL_read(PORT_in, &number, 4, p);
    if (time.tv_nsec)
        nanosleep(&time, NULL);
    DAL_write(PORT_out, &number, 4, p);
    return 0;
}
END
cat >pass.cl <<'END'
__kernel void Pass(__global const int *in, __global int *out)
{
    out[get_group_id(0)] = in[get_group_id(0)];
}
END
cat >sink.c <<'END'
#include <dal.h>
void Sink_init(DALProcess *p)
{
    DAL_printf("it runs\n");
}
int Sink_fire(DALProcess *p)
{
    int number;
    DAL_read(PORT_in, &number, 4, p);
    return 0;
}
END

pass() { # NAME
    echo "<process name=\"$1\" type=\"local\" shadowcopies=\"4\" stateless=\"true\"><port type=\"input\" name=\"in\"/><port type=\"output\" name=\"out\"/>
        <parameter name=\"us\" value=\"0\"/>
        <source id=\"0\" type=\"c\" location=\"pass.c\"/><source id=\"1\" type=\"opencl\" location=\"pass.cl\"/></process>"
}
{
    echo '<processnetwork name="chain">'
    echo '<process name="Source" type="local"><port type="output" name="out"/><parameter name="tokens" value="300"/>'
    echo '<source type="c" location="source.c"/></process>'
    pass One
    pass Two
    echo '<process name="Sink" type="local"><port type="input" name="in"/><source type="c" location="sink.c"/></process>'
    channel first Source out One in 'size="8"'
    channel second One out Two in 'size="8" initialtokens="2"'
    channel third Two out Sink in 'size="8"'
    echo '</processnetwork>'
} >chain.xml
"$dalinfo" --architecture -o machine.xml
architecture core_0 core_1 device_0 >architecture.xml

# ---- cores ----------------------------------------------------------------------------------------

mapping "Source - core_0" "One 0 core_0" "Two 0 core_0" "Sink - core_0" >cores.xml
synthesise -o cores chain.xml architecture.xml cores.xml
DAL_STATS=cores.json run 0 cores/chain
[ ! -s messages ] || fail "a table as well" messages
holds cores.json <<'END'
assert stats["network"] == "chain" and "run" not in stats
assert len(stats["nodes"]) == 1 and "error" not in stats["nodes"][0] and "node" not in p["One"]
assert [p[name]["firings"] for name in ("Source", "One", "Two", "Sink")] == [300, 300, 302, 302]
assert all(entry["type"] == "c" and entry["on"] == entry["planned"] == ["core_0"] for entry in p.values())
assert [c[name]["tokens"] for name in ("first", "second", "third")] == [300, 302, 302]
assert c["second"]["initial_tokens"] == 2 and c["second"]["bytes_in_place"] == 1208
assert c["first"]["from"] == {"process": "Source", "port": "out"} and c["first"]["to"] == {"process": "One", "port": "in"}
assert all(entry["kind"] == entry["planned_kind"] == "core" and entry["capacity"] == 8 for entry in c.values())
assert all(entry["left"] == 0 and entry["bytes_copied"] == 0 for entry in c.values())
assert [entry["processes"] for entry in stats["together"]] == [["Source", "One"], ["Two", "Sink"]]
assert all(0 < entry["overlay_bytes"] and entry["ring_bytes"] == 32 for entry in stats["together"])
assert stats["launched"] == stats["flows"] == stats["devices"] == []
END

# A process that takes long: who comes before it waits for space, who comes behind it for tokens, and it for nothing.
mapping "Source - core_0" "One 0 core_1" "Two 0 core_0" "Sink - core_0" >slow.xml
synthesise -o slow chain.xml architecture.xml slow.xml
DAL_STATS=slow.json run 0 slow/chain -p One.us=1000
holds slow.json <<'END'
slow = p["One"]["last_ns"] - p["One"]["first_ns"]
assert p["One"]["on"] == ["core_1"] and c["first"]["kind"] == "cores"
assert p["One"]["firing_ns"] > 0.3e9 and p["One"]["firing_ns"] > 0.5 * slow
assert p["One"]["busy_ns"] < 0.2 * p["One"]["firing_ns"], p["One"] # it sleeps
assert p["Source"]["blocked_ns"] == c["first"]["space_wait_ns"] and p["Two"]["starved_ns"] == c["second"]["token_wait_ns"]
assert p["Source"]["starved_ns"] == p["Sink"]["blocked_ns"] == 0
assert p["One"]["in_use"] == p["Sink"]["in_use"] == 1
assert c["first"]["space_waits"] > 0 and c["first"]["space_wait_ns"] > 0.5 * slow
assert c["second"]["token_waits"] > 0 and c["second"]["token_wait_ns"] > 0.5 * slow
assert c["first"]["token_wait_ns"] + c["second"]["space_wait_ns"] < 0.5 * slow
assert c["third"]["space_waits"] == 0
END

# Shadow copies.
sed 's/initialtokens="2"//' chain.xml >plain.xml
sed 's/"core_1"/"core_*"/' slow.xml >copies.xml
synthesise -o copies plain.xml architecture.xml copies.xml
DAL_STATS=copies.json run 0 copies/chain -p One.us=1000
holds copies.json <<'END'
assert p["One"]["copies"] == 2 and p["One"]["on"] == ["core_0", "core_1"] and p["One"]["firings"] == 300
assert p["One"]["firing_ns"] > 0.3e9
assert p["Two"]["copies"] == 1
END

# ---- cores that take part, also beside a device -----------------------------------------------------

architecture core_0 core_1 core_2 core_3 device_0 >four.xml
mapping "Source - core_*" "One 0 core_*" "Two 1 device_0" "Sink - core_*" >few.xml
synthesise -o few plain.xml four.xml few.xml
for all in '' --all-cores; do
    # shellcheck disable=SC2086 # it may be none
    DAL_STATS=few.json run 0 few/chain $all -p Source.tokens=40000
    holds few.json <<END
least = 4 if "$all" else 1
assert all(least <= p[name]["in_use"] <= 4 for name in ("Source", "One", "Sink")), p
assert p["One"]["firings"] == p["Sink"]["firings"] == 40000
assert p["Two"]["in_use"] == (0 if p["Two"]["type"] == "opencl" else 1)
END
done

# ---- processor time --------------------------------------------------------------------------------

# Firings that work, of 2 ms of processor time as the process itself asks for it, and of nearly nothing.
cat >work.c <<'END'
#include <dal.h>
#include <stdlib.h>
#include <time.h>
static long now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000 + time.tv_nsec / 1000;
}
int work_fire(DALProcess *p)
{
    long until = now_us() + atol(DAL_getParameter("us", p));
    int number;
    DAL_read(PORT_in, &number, 4, p);
    while (now_us() < until)
        ;
    DAL_write(PORT_out, &number, 4, p);
    return 0;
}
END
sed 's/pass\.c"/work.c"/' chain.xml >work.xml
synthesise -o work work.xml architecture.xml slow.xml
taskset=$(command -v taskset) || taskset=
for hogs in 0 2; do
    pids=
    for ((i = 0; i < hogs; i++)); do # they steal the core of the process that works
        ${taskset:+"$taskset" -c 1} sh -c 'while :; do :; done' &
        pids+=" $!"
    done
    status=0
    DAL_STATS=work.json work/chain -p One.us=2000 -p Two.us=20 >output 2>messages || status=$?
    for pid in $pids; do
        kill "$pid"
        wait "$pid" || true
    done
    [ "$status" -eq 0 ] || fail "processes that work, $hogs hogs: exit status $status" messages
    holds work.json <<'END'
busy = {name: p[name]["busy_ns"] for name in p}
assert 0.6e9 <= busy["One"] < 0.7e9, busy # 300 firings of 2 ms
assert 0.004e9 <= busy["Two"] < 0.05e9, busy # 302 of 20 us
assert busy["Source"] + busy["Sink"] < 0.05e9, busy
END
done

# The manual lists what is counted, with its meaning.
sed -n 's/^ *X(\([a-z_]*\), "\([^"]*\)", *"\([^"]*\)").*/\1 (\2): \3/p' "$source/rt/observe/counters.h" >told
sed -n '/^\.It Va .* Pq /{s/^\.It Va \([a-z_]*\) Pq \(.*\)/\1 (\2): /;N;s/\n//;s/\.$//;p}' "$source/doc/man/dal-program.7" >written
sed -i 's/: \(.\)/: \l\1/' written
[ -s told ] || fail "no counters"
cmp -s told written || fail "counters and their manual" <(diff told written)
passed=$((passed + 1))

# ---- what goes wrong ------------------------------------------------------------------------------

DAL_STATS=nowhere/stats.json run 1 cores/chain
expect "DAL_STATS=nowhere/stats.json cannot be written" messages
[ ! -s output ] || fail "it runs all the same" output
ln -s . here
DAL_STATS=./one.json DAL_TIMES=here/one.json run 2 cores/chain
expect "DAL_STATS=./one.json and DAL_TIMES=here/one.json are one file" messages
DAL_REPORT=one.html DAL_TRACE=one.json DAL_TIMES="$PWD/one.json" run 2 cores/chain
expect "DAL_TIMES=$PWD/one.json and DAL_TRACE=one.json are one file" messages
[ ! -e one.json ] || fail "one file is written for two"
DAL_STATS=/dev/null DAL_TIMES=/dev/null run 0 cores/chain
DAL_STATS=/dev/full run 1 cores/chain
expect "it runs" output
expect "DAL_STATS=/dev/full cannot be written" messages
DAL_STATS=1 run 0 cores/chain
expect 'process  ' messages
DAL_STATS=./there run 0 cores/chain
[ -s there ] && [ ! -s messages ] || fail "a name with a slash" messages
passed=$((passed + 4))

# ---- several readers, phases, a run that is stopped ---------------------------------------------------

cat >one.c <<'END'
#include <dal.h>
int one_fire(DALProcess *p)
{
    int number;
    DAL_read(PORT_in, &number, 4, p);
    return 0;
}
END
cat >three.c <<'END'
#include <dal.h>
int three_fire(DALProcess *p)
{
    int numbers[2];
    DAL_read(PORT_in, numbers, 4 * TOKEN_in_RATE, p);
    return 0;
}
END
cat >fan.xml <<'END'
<processnetwork name="fan">
  <process name="Source" source="source.c"><parameter name="tokens" value="302"/></process>
  <process name="One" source="one.c"/>
  <process name="Three" source="three.c"/>
  <channel name="ones" from="Source.out" to="One.in" type="int" size="8"/>
  <channel name="threes" from="Source.out" to="Three.in" type="int" size="8" tokenrateout="1,2"/>
</processnetwork>
END
synthesise -o fan fan.xml
DAL_STATS=fan.json run 0 fan/fan
holds fan.json <<'END'
assert [p[name]["firings"] for name in ("Source", "One", "Three")] == [302, 302, 100], p # cycles of three tokens
assert [c[name]["tokens"] for name in ("ones", "threes")] == [302, 300], c # as many as were read
assert [c[name]["left"] for name in ("ones", "threes")] == [0, 2], c # less than a cycle
assert all(entry["bytes_in_place"] == 4 * entry["tokens"] and entry["bytes_copied"] == 0 for entry in c.values()), c
END

# Stopped for a second: that is nobody's work.
DAL_STATS=stopped.json slow/chain -p One.us=5000 >output 2>messages &
pid=$!
sleep 0.3
kill -STOP "$pid"
sleep 1
kill -CONT "$pid"
wait "$pid" || fail "a run that was stopped" messages
holds stopped.json <<'END'
assert stats["wall_ns"] > 1.5e9 and sum(entry["busy_ns"] for entry in p.values()) < 0.5e9, p
assert [p[name]["firings"] for name in ("Source", "One", "Two", "Sink")] == [300, 300, 302, 302]
END

# ---- runs that fail ---------------------------------------------------------------------------------

# What was done before the failure counts. A process fails in its eighth firing, in one of the ways; all else that the
# network has done agrees with it. By itself, in a group with others, with others on a second core, and with copies.
cat >fail.c <<'END'
#include <dal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int Fail_fire(DALProcess *p)
{
    const char *how = DAL_getParameter("how", p);
    int numbers[2] = {0, 0}, last;
    DAL_read(PORT_in, numbers, 4, p);
    last = numbers[0] == 7;
    for (clock_t until = clock() + CLOCKS_PER_SEC / 1000; clock() < until;)
        ;
    if (last && strcmp(how, "reads") == 0)
        DAL_read(PORT_in, numbers, 4, p);
    if (last && strcmp(how, "lacks") == 0)
        return 0;
    DAL_write(PORT_out, numbers, last && strcmp(how, "writes") == 0 ? 8 : 4, p);
    return last && strcmp(how, "ends") == 0;
}
END
# failing ATTRIBUTES-OF-CHANNELS SOURCE ATTRIBUTES-OF-FAIL
failing() {
    echo '<processnetwork name="failing">'
    echo "<process name=\"Source\" source=\"$2\"><parameter name=\"tokens\" value=\"40\"/></process>"
    echo "<process name=\"Fail\" source=\"fail.c\" $3><parameter name=\"how\" value=\"ends\"/></process>"
    echo '<process name="Two" source="pass.c"><parameter name="us" value="0"/></process><process name="Sink" source="sink.c"/>'
    echo "<channel name=\"first\" from=\"Source.out\" to=\"Fail.in\" type=\"int\" size=\"16\" $1/>"
    echo "<channel name=\"second\" from=\"Fail.out\" to=\"Two.in\" type=\"int\" size=\"16\" $1/>"
    echo '<channel name="third" from="Two.out" to="Sink.in" type="int" size="16"/></processnetwork>'
}
# failed NAME HOW FIRINGS: of the process that fails; how many are initial tokens is in `initial`.
failed() {
    run "$([ "$2" = ends ] && echo 0 || echo 1)" env DAL_STATS=failed.json "$1/failing" -p "Fail.how=$2"
    {
        echo "wanted, initial, name = $3, $initial, '$1 $2'"
        cat <<'END'
fired = {name: p[name]["firings"] for name in p}
assert fired["Fail"] == wanted or (name[:6] == "copied" and fired["Fail"] > wanted), (name, fired)
for channel in c.values():
    first = initial if channel["channel"] != "third" else 0
    source, reader = channel["from"]["process"], channel["to"]["process"]
    assert channel["tokens"] == fired[reader], (name, channel, fired)
    assert channel["left"] == fired[source] + first - fired[reader], (name, channel, fired)
assert p["Fail"]["firing_ns"] >= p["Fail"]["busy_ns"] > 3e6, p["Fail"]
END
    } | holds failed.json
}
mapping "Source - core_0" "Fail - core_0" "Two - core_0" "Sink - core_0" >one.xml
mapping "Source - core_0" "Fail - core_1" "Two - core_0" "Sink - core_1" >two.xml
mapping "Source - core_0" "Fail - core_*" "Two - core_0" "Sink - core_0" >all.xml
failing '' source.c '' >together.xml
failing 'initialtokens="1"' source.c '' >apart.xml
failing '' source.c 'shadowcopies="2" stateless="true"' >copied.xml
synthesise -o together together.xml architecture.xml one.xml
synthesise -o apart apart.xml architecture.xml one.xml
synthesise -o cores2 together.xml architecture.xml two.xml
synthesise -o copied copied.xml architecture.xml all.xml
initial=0
for how in reads writes lacks ends; do
    for name in together cores2 copied; do
        failed "$name" "$how" "$([ "$how" = ends ] && echo 8 || echo 7)"
    done
done
initial=1
for how in reads writes lacks ends; do
    failed apart "$how" "$([ "$how" = ends ] && echo 9 || echo 8)"
done

# ---- dynamic rates --------------------------------------------------------------------------------

synthesise -o split "$source/test/kpn/input/"{split,machine,split-one}.xml
DAL_STATS=split.json run 0 split/split
holds split.json <<'END'
assert p["split"]["type"] == "kpn" and p["split"]["repetitions"] == 0
assert c["left"]["capacity"] > c["left"]["planned_capacity"] == 4
assert sum(entry["token_waits"] + entry["space_waits"] for entry in c.values()) > 0
END

# ---- devices --------------------------------------------------------------------------------------

if has_device machine.xml; then
    grep -v '<processor name="device' architecture.xml | sed '/<\/architecture>/d' >device.xml
    echo '<processor name="device_0" type="RISC"><capability name="OPENCL" identifier="CPU_DEV1"/></processor></architecture>' >>device.xml
    mapping "Source - core_0" "One 1 device_0" "Two 1 device_0" "Sink - core_0" >device-mapping.xml
    synthesise -o device plain.xml device.xml device-mapping.xml # in one group
    DAL_STATS=device.json run 0 device/chain # with the kernels that dalsynth has compiled
    holds device.json <<'END'
assert p["One"]["type"] == "opencl" and p["One"]["on"] == ["device_0"] and 75 <= p["One"]["launches"] <= 300
assert "activations" not in p["One"] and "launches" not in p["Sink"]
assert [entry["processes"] for entry in stats["launched"]] == [["One", "Two"]] and stats["launched"][0]["rounds"] == 300
assert [entry["processor"] for entry in stats["devices"]] == ["device_0"] and stats["devices"][0]["compiled"] == 0 < stats["devices"][0]["cached"]
assert c["second"]["kind"] == "group" and c["second"]["bytes_in_place"] == 1200
END
    DAL_KERNEL_CACHE=off DAL_STATS=device.json run 0 device/chain
    holds device.json <<'END'
assert stats["devices"][0]["compiled"] > 0 == stats["devices"][0]["cached"]
END
    mapping "Source - core_0" "One 1 device_0" "Two 0 core_0" "Sink - core_0" '<channel name="first" kind="naive"/>' >naive-mapping.xml
    synthesise -o naive plain.xml device.xml naive-mapping.xml
    DAL_STATS=naive.json run 0 naive/chain
    holds naive.json <<'END'
assert c["first"]["kind"] == "naive" and c["first"]["bytes_in_place"] == 0
assert c["first"]["bytes_copied"] == 2 * 1200, c["first"]
assert c["second"]["kind"] != "naive" and c["second"]["tokens"] == 300
END
    # A process for which the device has too little.
    mapping "Source - core_0" 'One 1 device_0 workitems="65536"' "Two 1 device_0" "Sink - core_0" >less-mapping.xml
    synthesise -o less plain.xml device.xml less-mapping.xml
    DAL_STATS=less.json run 0 less/chain
    holds less.json <<'END'
assert p["One"]["type"] == "c" and p["One"]["planned"] == ["device_0"] and p["One"]["on"] == ["core_0"], p["One"]
assert p["Two"]["type"] == "opencl"
assert c["first"]["planned_kind"] != c["first"]["kind"] in ("core", "cores"), c["first"]
END
fi

echo "$passed passed"
