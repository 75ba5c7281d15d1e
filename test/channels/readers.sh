#!/usr/bin/env bash
# Ports with several readers, in whole programs: one port of Relay has as readers three workers, one that reads it at two ports, a
# sink, and a process that ends long before the others, each with initial tokens of its own. Every reader gets the
# same stream behind them, whatever runs where, also when a process falls back from its device, and on a device it
# arrives once.
set -euo pipefail

. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
export CFLAGS=-O1 # many programs, of which other tests see the code at -O3
tokens=6000 programs=0 runs=0
network=network.xml lost='' option=--strict

cat >source.c <<'END'
#include "dal.h"
struct _local_states { int next; };
int Source_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->next, sizeof(int), p);
    return ++p->local->next == TOKENS;
}
END
cat >pass.c <<'END'
#include "dal.h"
#ifdef TOKEN_in_RATE
enum { RATE = TOKEN_in_RATE };
#else
enum { RATE = 1 }; /* dynamic */
#endif
int pass_fire(DALProcess *p)
{
    int token, k;
    for (k = 0; k < RATE; k++) {
        DAL_read(PORT_in, &token, sizeof(token), p);
        DAL_write(PORT_out, &token, sizeof(token), p);
    }
    return 0;
}
END
cat >pass.cl <<'END'
kernel void pass(global const int *in, global int *out)
{
    int k;
    for (k = 0; k < TOKEN_in_RATE; k++)
        out[get_global_id(0) * TOKEN_in_RATE + k] = in[get_global_id(0) * TOKEN_in_RATE + k];
}
END
cat >early.c <<'END'
#include "dal.h"
struct _local_states { int count; };
int Early_fire(DALProcess *p)
{
    int token;
    DAL_read(PORT_in, &token, sizeof(token), p);
    return ++p->local->count == 10;
}
void Early_finish(DALProcess *p) { DAL_printf("%d seen early\n", p->local->count); }
END
cat >pair.c <<'END'
#include "dal.h"
int pair_fire(DALProcess *p)
{
    int tokens[2];
    DAL_read(PORT_x, &tokens[0], sizeof(int), p);
    DAL_read(PORT_y, &tokens[1], sizeof(int), p);
    DAL_write(PORT_out, tokens, sizeof(tokens), p);
    return 0;
}
END
cat >pair.cl <<'END'
kernel void pair(global const int *x, global const int *y, global int *out)
{
    out[get_global_id(0) * 2] = x[get_global_id(0)];
    out[get_global_id(0) * 2 + 1] = y[get_global_id(0)];
}
END
# Initial tokens are the last of 101 to 106, then come 0, 1, 2 and so on.
cat >sink.c <<'END'
#include "dal.h"
struct _local_states { int next, wrong; };
static void check(int token, int number, int initial, DALProcess *p)
{
    p->local->wrong += token != (number < initial ? 107 - initial + number : number - initial);
}
static void check_row(const int *row, int initial, DALProcess *p)
{
    int k;
    for (k = 0; k < 6; k++)
        check(row[k], p->local->next + k, initial, p);
}
int Sink_fire(DALProcess *p)
{
    int row[6], pairs[12], k;
    DAL_read(PORT_in, row, sizeof(row), p);
    check_row(row, 4, p);
    DAL_read(PORT_a, row, sizeof(row), p);
    check_row(row, 1, p);
    DAL_read(PORT_b, row, sizeof(row), p);
    check_row(row, 6, p);
    DAL_read(PORT_c, row, sizeof(row), p);
    check_row(row, 3, p);
    DAL_read(PORT_p, pairs, sizeof(pairs), p);
    for (k = 0; k < 6; k++) {
        check(pairs[2 * k], p->local->next + k, 2, p);
        check(pairs[2 * k + 1], p->local->next + k, 5, p);
    }
    p->local->next += 6;
    return 0;
}
void Sink_finish(DALProcess *p)
{
    DAL_printf("%d tokens, %d wrong\n", p->local->next, p->local->wrong);
}
END

passes() { # NAME
    cat <<END
  <process name="$1" type="local" shadowcopies="4"><port type="input" name="in"/>
    <port type="output" name="out"/>
    <source id="0" type="c" location="pass.c"/>
    <source id="1" type="opencl" location="pass.cl"/></process>
END
}

fan=(Relay out)
initial() { # COUNT: the last so many of 101 to 106
    local token
    printf 'initialtokens="%s" value="' "$1"
    for ((token = 107 - $1; token < 107; token++)); do
        printf '%02x000000' "$token"
    done
    printf '"'
}

{
    echo '<processnetwork name="fan">'
    echo '<process name="Source" type="local"><port type="output" name="out"/>'
    echo "<source type=\"c\" location=\"source.c\" cflags=\"-DTOKENS=$tokens\"/></process>"
    for name in Relay A B C; do
        passes "$name"
    done
    echo '<process name="Pair" type="local" shadowcopies="4"><port type="input" name="x"/>'
    echo '<port type="input" name="y"/><port type="output" name="out"/>'
    echo '<source id="0" type="c" location="pair.c"/><source id="1" type="opencl" location="pair.cl"/></process>'
    echo '<process name="Early" type="local"><port type="input" name="in"/>'
    echo '<source type="c" location="early.c"/></process>'
    echo '<process name="Sink" type="io"><port type="input" name="in"/><port type="input" name="a"/>'
    echo '<port type="input" name="b"/><port type="input" name="c"/><port type="input" name="p"/>'
    echo '<source type="c" location="sink.c"/></process>'
    channel there Source out Relay in
    channel fa "${fan[@]}" A in "$(initial 1)"
    channel fb "${fan[@]}" B in "$(initial 6) tokenrateout=\"2\" size=\"37\""
    channel fc "${fan[@]}" C in "$(initial 3) tokenrateout=\"3\""
    channel fx "${fan[@]}" Pair x "$(initial 2)"
    channel fy "${fan[@]}" Pair y "$(initial 5)"
    channel direct "${fan[@]}" Sink in "$(initial 4) tokenrateout=\"6\""
    channel early "${fan[@]}" Early in
    channel back_a A out Sink a 'tokenrateout="6"'
    channel back_b B out Sink b 'tokenratein="2" tokenrateout="6"'
    channel back_p Pair out Sink p 'tokenratein="2" tokenrateout="12"'
    channel back_c C out Sink c 'tokenratein="3" tokenrateout="6"'
    echo '</processnetwork>'
} >network.xml

bind() { # PROCESS PLACE: 0, 1 a core, d, e a device
    local processor=core_$2 source=0
    case $2 in
    d) processor=device_0 source=1 ;;
    e) processor=device_1 source=1 ;;
    esac
    printf '<binding name="b%s"><process name="%s" sourceid="%s"/><processor name="%s"/>%s</binding>\n' \
        "$1" "$1" "$source" "$processor" \
        "$([[ " $lost " != *" $1 "* ]] || echo '<fallback sourceid="0" processor="core_1"/>')"
}

on_device() {
    [[ $1 == [de] ]]
}

mapping() { # PLACES-OF-RELAY-A-B-C KIND
    local places=$1 kind=$2 k names=(fa fb fc fx fy)
    echo '<mapping name="map" processnetwork="fan">'
    echo '<binding name="rest"><process name="*"/><processor name="core_0"/></binding>'
    bind Relay "${places:0:1}"
    bind A "${places:1:1}"
    bind B "${places:2:1}"
    bind C "${places:3:1}"
    bind Pair "${places:3:1}"
    places+=${places:3:1}${places:3:1}
    for k in 0 1 2 3 4; do
        if [ "$kind" != usual ] && { on_device "${places:0:1}" || on_device "${places:k+1:1}"; }; then
            echo "<channel name=\"${names[k]}\" kind=\"$kind\"/>"
        fi
    done
    if [ "$kind" != usual ] && on_device "${places:0:1}"; then
        echo "<channel name=\"direct\" kind=\"$kind\"/><channel name=\"early\" kind=\"$kind\"/>"
    fi
    echo '</mapping>'
}

run() { # WHAT PROGRAM [SETTING...]
    local what=$1 program=$2 status=0
    shift 2
    env "$@" "$program" $option >output 2>messages || status=$?
    [ $status = 0 ] || { cat messages; fail "$what: exit status $status"; }
    grep -qx "$tokens tokens, 0 wrong" output || { cat output; fail "$what: not all tokens"; }
    grep -qx "10 seen early" output || fail "$what: Early saw something else"
    runs=$((runs + 1))
}

# Runs the network on PLACES with KIND of channels, on the devices that SETTING makes.
try() { # ARCHITECTURE PLACES KIND [SETTING]
    local architecture=$1 places=$2 kind=$3 name=program
    shift 3
    mapping "$places" "$kind" >mapping.xml
    rm -rf $name # which is always the same, so that ccache knows it
    env "$@" "$dalsynth" --explain -o "$name" "$network" "$architecture" mapping.xml >explained 2>made ||
        fail "$places $kind: dalsynth" made
    programs=$((programs + 1))
    run "$places $kind" "$name/fan" "$@"
    run "$places $kind, transfer queues" "$name/fan" DAL_TRANSFER_QUEUES=1 "$@"
}

# The same when no kernel of PROCESSES can be had: they run on core_1 instead.
lose() { # PROCESSES ARCHITECTURE PLACES KIND [SETTING]
    local lost=$1 network=lost.xml option='' process
    shift
    cp network.xml lost.xml
    for process in $lost; do
        sed -i "/<process name=\"$process\"/,/<\/process>/s/\"pass.cl\"/& dataparallelism=\"65536\"/" lost.xml
    done
    try "$@"
    for process in $lost; do
        grep -q "process $process cannot run on device_. .* it runs as C on core_1 instead" messages ||
            { cat messages; fail "$lost, $*: $process does not fall back"; }
    done
    [ "$(grep -c 'cannot run on' messages)" = "$(wc -w <<<"$lost")" ] || fail "$lost, $*: others fall back"
}

# some ARGUMENT...: try, of those that this part of the inputs has
some() {
    ! is_next || try "$@"
}

# machine FILE [SETTING]: what there is, with two cores at least
machine() {
    local file=$1
    shift
    env "$@" "$dalinfo" --architecture -o "$file"
    grep -q 'name="core_1" type' "$file" || sed -i \
        's|.*name="core_0" type.*|<processor name="core_1" type="RISC"><capability name="POSIX" identifier="0"/></processor>\n&|' "$file"
}

machine one.xml
has_device one.xml || skip "needs an OpenCL device"

for kind in usual staged naive; do
    some one.xml 001d "$kind"
    [ $kind = staged ] || some one.xml 0ddd "$kind" # see below
    some one.xml dd1d "$kind"
done
! is_next || lose A one.xml 0ddd staged # each with one of the kinds
! is_next || lose Relay one.xml dddd usual
! is_next || lose "A C" one.xml dddd naive
! is_next || lose "Relay A" one.xml dd1d usual
some one.xml 0010 usual
try one.xml 0000 usual
grep -qE '^fc .*shares the ring of channel fa' explained || fail "--explain: no shared ring"

# Once to the device: 6 + 6000 tokens of 4 bytes, not five times; and each reader's tokens are its own. What Sink cannot
# use of them is perhaps not read: it ends.
try one.xml 0ddd staged
DAL_TRANSFER_QUEUES=1 DAL_STATS=1 program/fan 2>&1 >output |
    awk '$1 ~ /^f[abcxy]$/ { sum += $5 }
         $1 ~ /^f[ab]$/ { read[$1] = $3 }
         END { exit !(sum >= 0.024 && sum < 0.025 * 1.2 && read["fa"] >= 6000 && read["fa"] <= 6001 &&
               read["fb"] >= 6000 && read["fb"] <= 6006) }' ||
    fail "tokens were moved to a device more than once, or counted so"

# KPN processes at either end: A reads what it likes, and Relay writes so.
sed -e '/name="fa"/s/tokensize="4"/& tokenrateout="dynamic"/; /name="back_a"/s/tokensize="4"/& tokenratein="dynamic"/' \
    -e '/<process name="A"/s/ shadowcopies="4"//' network.xml >reader.xml
sed -e '/name="\(fa\|fb\|fc\|fx\|fy\|direct\|early\)"/s/tokensize="4"/& tokenratein="dynamic"/' \
    -e '/name="there"/s/tokensize="4"/& tokenrateout="dynamic"/' \
    -e '/<process name="Relay"/s/ shadowcopies="4"//' network.xml >writer.xml
# The same in a ring whose tail Early's rate asks for.
sed -e '/name="fb"/s/size="37"/size="11"/; /name="early"/s/tokensize="4"/& tokenrateout="5"/' \
    writer.xml >tail.xml
for name in reader writer tail; do
    for places in 0010 001d; do
        is_next || continue
        mapping $places usual >mapping.xml
        "$dalsynth" -o kpn "$name.xml" one.xml mapping.xml || fail "KPN $name: dalsynth"
        programs=$((programs + 1))
        run "KPN $name $places" kpn/fan
    done
done

# Two that do not wait for each other's events, and two that do; of each another process falls back.
next=Relay
for devices in "pthread basic" "pthread pthread" "cpu cpu-minimal"; do
    machine two.xml "POCL_DEVICES=$devices"
    grep -q 'name="device_1" type' two.xml || continue
    for kind in usual staged naive; do
        some two.xml dede "$kind" "POCL_DEVICES=$devices"
    done
    some two.xml 0dee usual "POCL_DEVICES=$devices"
    ! is_next || lose "$next" two.xml dede usual "POCL_DEVICES=$devices"
    next=C
done
echo "$programs programs, $runs runs"
