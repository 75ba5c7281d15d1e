#!/usr/bin/env bash
# Real-time mode of a program, by the environment or a mapping: which threads come before others, what is said where the system does not allow it, and that a
# network which waits leaves the machine to others.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cat >gate.xml <<'END'
<processnetwork name="gate">
  <port type="input" name="in" tokentype="uint8_t"/>
  <process name="Clock" source="clock.c" period="2ms" deadline="1000s" overrun="skip"/>
  <process name="Pass" source="pass.c"/>
  <process name="End" source="end.c"/>
  <channel from="in" to="Pass.in"/>
  <channel from="Pass.out" to="End.in" type="uint8_t"/>
  <channel from="Clock.out" to="End.tick" type="uint8_t"/>
</processnetwork>
END
cat >clock.c <<'END'
#include <dal.h>
int Clock_fire(DALProcess *p)
{
    unsigned char one = 1;
    DAL_WRITE_TOKEN(out, &one, p);
    return 0;
}
END
cat >pass.c <<'END'
#include <dal.h>
int Pass_fire(DALProcess *p)
{
    unsigned char byte;
    DAL_READ_TOKEN(in, &byte, p);
    DAL_WRITE_TOKEN(out, &byte, p);
    return 0;
}
END
cat >end.c <<'END'
#include <dal.h>
int End_fire(DALProcess *p)
{
    unsigned char byte, one;
    DAL_READ_TOKEN(in, &byte, p);
    DAL_READ_TOKEN(tick, &one, p);
    DAL_printf("%c", byte);
    return 0;
}
END
cat >machine.xml <<'END'
<architecture name="machine">
  <processor name="core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>
</architecture>
END
cat >map.xml <<'END'
<mapping name="m">
  <binding name="all"><process name="*"/><processor name="core_0"/></binding>
</mapping>
END
synthesise -o gate gate.xml machine.xml map.xml
printf 'twelve bytes' >bytes

# runs COMMAND...: the network is the same, whoever comes first
runs() {
    run 0 "$@" gate/gate --in=bytes
    [ "$(cat output)" = 'twelve bytes' ] || fail "other bytes: $*" output messages
}
no_priority='warning: real-time mode: threads have the usual priority: Operation not permitted; rtprio in limits.conf(5), rtkit, or setcap'
no_lock='warning: real-time mode: memory may be taken away: '

# ---- what the system does not allow ------------------------------------------------------------------------------------

runs env DAL_REALTIME=0
[ ! -s messages ] || fail "without the mode it talks" messages
run 2 env DAL_REALTIME=high gate/gate --in=bytes
expect 'error: DAL_REALTIME=high: not a number from 0 to 49' messages
drop=(prlimit --rtprio=0 --memlock=65536)
[ "$(id -u)" -ne 0 ] || drop+=(setpriv "--bounding-set=-sys_nice,-ipc_lock,-sys_resource")
runs "${drop[@]}" env DAL_REALTIME=5
expect "$no_priority" messages
# A sanitizer makes nothing of mlockall, and says that it has been done.
locks=1
[ -z "${DAL_SANITIZER:-}" ] || locks=0
[ "$(grep -cF "$no_lock" messages)" -eq $locks ] || fail "the memory" messages
[ "$(grep -c real-time messages)" -eq $((1 + locks)) ] || fail "each is said once" messages

# The same of a system that says no.
cat >refuse.c <<'END'
#include <errno.h>
int sched_setscheduler(int thread, int policy, const void *parameter)
{
    (void)thread, (void)policy, (void)parameter;
    errno = EPERM;
    return -1;
}
int mlockall(int flags)
{
    (void)flags;
    errno = ENOMEM;
    return -1;
}
END
if [ -z "${DAL_SANITIZER:-}" ] && ${CC:-cc} -shared -fPIC -o refuse.so refuse.c; then
    runs env DAL_REALTIME=5 LD_PRELOAD="$work/refuse.so"
    expect "$no_priority" messages
    expect "${no_lock}Cannot allocate memory" messages
fi

# ---- memory, in the first firing: of a ring between two cores, and of what is within a group -----------------------------

cat >large.xml <<'END'
<processnetwork name="large">
  <process name="Large" source="large.c"/>
  <process name="Drop" source="drop.c"/>
  <channel from="Large.out" to="Drop.in" tokensize="4194304" size="2"/>
</processnetwork>
END
cat >large.c <<'END'
#define _DEFAULT_SOURCE
#include <dal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
int Large_fire(DALProcess *p)
{
    unsigned char found[TOKEN_out_SIZE / 4096];
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), pages = TOKEN_out_SIZE / page - 1, there = 0;
    unsigned char *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    if (mincore((void *)(((uintptr_t)out + page - 1) / page * page), pages * page, found) != 0)
        return 1;
    for (uintptr_t i = 0; i < pages; i++)
        there += found[i] & 1;
    DAL_printf("%s\n", there == pages ? "all pages" : "some pages");
    DAL_write_end(PORT_out, out, p);
    return 1;
}
END
cat >drop.c <<'END'
#include <dal.h>
int Drop_fire(DALProcess *p)
{
    DAL_read_end(PORT_in, DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p), p);
    return 0;
}
END
sed 's|</architecture>|<processor name="core_1" type="RISC"><capability name="POSIX" identifier="1"/></processor>&|' machine.xml >machine-two.xml
mapping "Large - core_0" "Drop - core_1" >map-two.xml
synthesise -o ring large.xml machine-two.xml map-two.xml
synthesise -o group large.xml machine.xml map.xml
for program in ring group; do
    run 0 env DAL_REALTIME=5 $program/large
    [ "$(cat output)" = 'all pages' ] || fail "$program: memory that is not there" output messages
done

# ---- a mapping that says it, in a process that tells its priority --------------------------------------------------------

cat >own.xml <<'END'
<processnetwork name="own">
  <iterator variable="i" range="2">
    <process name="Own" source="own.c"><append function="i"/></process>
  </iterator>
</processnetwork>
END
cat >own.c <<'END'
#include <dal.h>
#include <sched.h>
int Own_fire(DALProcess *p)
{
    struct sched_param parameter;
    sched_getparam(0, &parameter);
    DAL_printf("%d\n", parameter.sched_priority);
    return 1;
}
END
sed 's|</mapping>|<queue realtime="5"/>&|' map.xml >map-own.xml
synthesise --explain -o own own.xml machine.xml map-own.xml
expect 'policy fcfs, real-time priority 5' made
sed 's/"5"/"5 * 10"/' map-own.xml >map-wrong.xml
refuse 'map-wrong.xml:3: error: [bad-number] queue: realtime is 50, must be at most 49' own.xml machine.xml map-wrong.xml

# owns PRIORITY COMMAND...: it is that of both processes
owns() {
    run 0 "${@:2}"
    [ "$(paste -sd ' ' output)" = "$1" ] || fail "priorities: ${*:2}" output messages
}
owns '0 0' env DAL_REALTIME=0 own/own
[ ! -s messages ] || fail "the mode is switched off" messages
owns '0 0' "${drop[@]}" own/own
expect "$no_priority" messages

# ---- what it allows ----------------------------------------------------------------------------------------------------

chrt -f 5 true 2>/dev/null || { echo "no priority for real-time threads here" && exit 0; }
runs env DAL_REALTIME=5
! grep -q 'threads have' messages || fail "it has the priority" messages
owns '5 5' own/own
owns '7 7' env DAL_REALTIME=7 own/own

# Each application has that of its mapping, and each node that of all.
cat >two.xml <<'END'
<fsm name="two">
  <application name="A" network="own.xml" mapping="map-own.xml"/>
  <application name="B" network="own.xml" mapping="map.xml"/>
  <state name="a" initial="true"><running application="A"/></state>
  <state name="b"><running application="B"/></state>
  <endstate name="off"/>
  <transition from="a" to="b" event="A.finished"/>
  <transition from="b" to="off" event="B.finished"/>
</fsm>
END
synthesise --fsm -o two two.xml machine.xml
owns '5 5 0 0' two/two
owns '7 7 7 7' env DAL_REALTIME=7 two/two
if find_mpi; then
    without_leaks
    core='<processor name="core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>'
    echo "<architecture name=\"cluster\"><shared name=\"near\"/><shared name=\"far\"/>${core/core/near/core}${core/core/far/core}</architecture>" >cluster.xml
    cat >map-nodes.xml <<'END'
<mapping name="m">
  <binding name="near"><process name="Own_0"/><processor name="near/core_0"/></binding>
  <binding name="far"><process name="Own_1"/><processor name="far/core_0"/></binding>
  <queue realtime="5"/>
</mapping>
END
    synthesise -o nodes own.xml cluster.xml map-nodes.xml
    owns '5 5' ranks 2 nodes/own
    owns '0 0' env DAL_REALTIME=0 $launch -n 2 nodes/own
fi

# policies: a line for each thread that comes before ordinary ones: its priority
policies() {
    local stat
    for stat in "/proc/$running/task"/*/stat; do
        sed 's/.*) //' "$stat" | awk '$39 == 1 { print $38 }'
    done
}
# ticks: processor time of all threads
ticks() {
    sed 's/.*) //' "/proc/$running/stat" | awk '{ print $12 + $13 }'
}
has_begun() {
    policies >found && [ -s found ]
}

# Nobody writes: it waits, and its releases go on. It takes less than a fifth of its core, and the shell counts on that core.
mkfifo pipe
exec 3<>pipe
start env DAL_REALTIME=5 gate/gate --in=pipe
until_so has_begun
sleep 0.5
policies >found
[ "$(sort -u found)" = 5 ] || fail "priorities" found
[ "$(wc -l <found)" -lt "$(ls "/proc/$running/task" | wc -l)" ] || fail "the monitor is ordinary" found
[ $locks -eq 0 ] || [ "$(awk '/^VmLck/ { print $2 }' "/proc/$running/status")" -gt 0 ] || fail "no memory is locked" "/proc/$running/status"
before=$(ticks)
sleep 1
spent=$(($(ticks) - before))
[ $spent -lt $(($(getconf CLK_TCK) / 5)) ] || fail "a network that waits took $spent ticks of a second"
taskset -c 0 sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done'
kill -INT $running
printf 'x' >&3
exec 3>&-
ended
[ $status -eq 0 ] || fail "exit status $status" messages
echo ok
