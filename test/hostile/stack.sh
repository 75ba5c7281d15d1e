#!/usr/bin/env bash
# Threads have stacks of a size that does not depend on the shell's; a process that needs more is named.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
[ -z "${DAL_SANITIZER:-}" ] || skip "sanitizers have frames, and a handler, of their own"

cp "$input"/{counts,deep,adds}.c .
cat >static.xml <<'END'
<processnetwork name="deep">
  <process name="Source" source="counts.c"/>
  <process name="Deep" source="deep.c" cflags="-O1"><parameter name="frames" value="3000"/><parameter name="where" value="1"/></process>
  <process name="Sink" source="adds.c"/>
  <channel from="Source.out" to="Deep.in" tokensize="4"/>
  <channel from="Deep.out" to="Sink.in" tokensize="4"/>
</processnetwork>
END
sed 's/tokensize=/tokenratein="dynamic" tokenrateout="dynamic" &/' static.xml >kpn.xml
synthesise -o static static.xml
synthesise -o kpn kpn.xml
ulimit -S -c 0
for program in static kpn; do
    for limit in 8192 1024 unlimited; do
        for where in 0 1 2 3; do
            run 0 bash -c "ulimit -S -s $limit 2>/dev/null; $program/deep -p Deep.where=$where"
            [ "$(cat output)" = 10 ] || fail "$program, $limit, $where" output messages
        done
    done
    for where in 0 1 2 3; do
        run 1 $program/deep --stack=1M -p Deep.where=$where
        expect 'deep: error: process Deep: its stack of 1048576 bytes is used up; --stack gives more (static.xml:3)' \
            <(sed 's/kpn.xml/static.xml/' messages)

        run 0 $program/deep --stack=16M -p Deep.where=$where -p Deep.frames=12000
    done
done
# What is not the end of a stack is as ever.
run 139 static/deep -p Deep.where=4
for size in 1 1K -1 8X 99999999G; do
    status=0
    static/deep --stack=$size >output 2>messages || status=$?
    [ $status -ne 0 ] && [ $status -le 2 ] && [ -s messages ] || fail "--stack=$size: exit status $status" messages
done
echo "$0: all good"
