#!/usr/bin/env bash
# The runs of dalmap: what it measures of networks that are periodic, print much or never end, and what a signal leaves.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
dalmap=$build/synth/dalmap
mkdir empty
export TMPDIR=$work/empty CFLAGS=-O1

# It never ends; so many lines go to standard error before.
cat >begin.c <<'END'
#include "dal.h"
#include <stdio.h>
struct _local_states { int token; };
void Begin_init(DALProcess *p)
{
    long lines = 0;
    DAL_getParameterInt("lines", &lines, p);
    while (lines-- > 0)
        fprintf(stderr, "%099ld\n", lines);
}
int Begin_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->token, sizeof(int), p);
    return 0;
}
END
cat >end.c <<'END'
#include "dal.h"
int End_fire(DALProcess *p)
{
    int token;
    DAL_read(PORT_in, &token, sizeof(token), p);
    return 0;
}
END
cat >endless.xml <<'END'
<processnetwork name="endless">
  <process name="Begin" source="begin.c" stateless="false">
    <parameter name="lines" value="0"/>
  </process>
  <process name="End" source="end.c" stateless="false"/>
  <channel from="Begin.out" to="End.in" type="int"/>
</processnetwork>
END
sed 's/<process name="Begin"/& period="5ms"/' endless.xml >periodic.xml
echo '{"Begin": 1000, "End": 1000}' >times.json
architecture core_0 >one.xml
runs=(--run=1 --run-time=1)

# Behind the table of processes there are others, of periods and clocks, with the same names.
run 0 "$dalmap" --times=times.json "${runs[@]}" -o map.xml periodic.xml one.xml
period=$(sed -nE 's/^.*; measured: ([0-9.]+) ms an iteration, .*$/\1/p' map.xml)
check "what is periodic takes a period: $period ms" "$(awk -v ms="${period:-0}" 'BEGIN { exit !(ms > 4.5 && ms < 20) }'; echo $?)"
run 0 "$dalmap" --times=times.json "${runs[@]}" -p Begin.lines=20000 -o map.xml endless.xml one.xml
check "what prints 2 MB is measured" "$(grep -q '; measured: [0-9.]* [mun]s an iteration, ' map.xml; echo $?)"

# What a script has started in the background ignores SIGINT, by which runs are ended.
without_int() (
    trap '' INT
    exec "$dalmap" "$@"
)
run 0 without_int --profile=0.3 --times=own.json "${runs[@]}" -o map.xml endless.xml one.xml
check "timed and run where SIGINT is ignored" "$(grep -q '; measured: ' map.xml; echo $?)"

# A signal while a later value of an open variable is timed leaves the earlier ones.
sed 's|<processnetwork name="endless">|&<variable name="many" value="auto" most="3"/>|' endless.xml >many.xml
times_second() {
    [ "$(grep -c 'note: times of all processes' messages)" -ge 2 ]
}
start "$dalmap" --profile=0.3 --times=own.json -o map.xml many.xml one.xml
until_so times_second
kill -INT $running
ended
check "interrupted: exit status 0" "$([ "$status" -eq 0 ]; echo $?)"
expect "interrupted: the best mapping so far is written" messages
check "the first value is known" "$(grep -q 'many = 1: [0-9.]* [mun]s\.' map.xml; echo $?)"
check "and taken" "$(grep -q '<variable name="many" value="1"/>' map.xml; echo $?)"
"$dalsynth" --check many.xml one.xml map.xml >out 2>log || fail "dalsynth refuses it" log
check "nothing is left" "$([ -z "$(ls -A empty)" ]; echo $?)"
echo "$passed checks"
