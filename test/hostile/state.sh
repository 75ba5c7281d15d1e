#!/usr/bin/env bash
# What a process sets for its thread, or for the program, is its own: its firings have it, on whichever cores they are, and
# no other process, nor what dal itself reads and writes.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp "$input"/* .
[ "$(nproc)" -ge 2 ] || skip "the machine has one core"
architecture core_0 core_1 >machine.xml
mapping "* - core_0" >one.xml
mapping "Changes - core_0" "Stays - core_1" >two.xml
sed 's/tokensize=/tokenratein="dynamic" tokenrateout="dynamic" &/' state.xml >kpn.xml
synthesise -o one state.xml machine.xml one.xml
synthesise -o two state.xml machine.xml two.xml
synthesise -o own kpn.xml machine.xml one.xml

# tries NAME HOW PATTERN MESSAGE: the same on all, in fire and in init; firings behind the change see a line like this.
tries() {
    local on in line=''
    for in in 0 1; do
        for on in one two own; do
            run 0 "$on/state" -p "Changes.how=$2" -p Changes.ininit=$in
            line=${line:-$(tail -n 1 output)}
            # shellcheck disable=SC2053 # a pattern
            [[ $line == $3 ]] && [ "$(tail -n 1 output)" = "$line" ] && [ "$(wc -l <output)" -eq 8 ] ||
                fail "$1, $on, $in: not $3" output messages
            [ $in -eq 0 ] || [ "$(uniq output | wc -l)" -eq 1 ] || fail "$1, $on: not all firings have it" output
            ! grep -q '[st]' output || fail "$1, $on, $in" output
            if [ -n "$4" ]; then
                expect "$4" messages
                [ "$(wc -l <messages)" -eq 1 ] || fail "$1, $on, $in: more messages" messages
            else
                [ ! -s messages ] || fail "$1, $on, $in" messages
            fi
        done
    done
}

plain=$(one/state | head -n 1)
tries nothing 0 "$plain" ''
tries locale 2 '* * * * 1 0 0 7' ''
tries cores 3 "$plain" 'moved its thread to other cores'
tries mask 4 '* * * * 0 1 0 7' ''
tries rounding 6 '0 0.333333313 * 0 0 0 7' ''
tries exceptions 8 "1 ${plain#* }" ''
if [ "$(uname -m)" = x86_64 ]; then
    tries traps 1 '0 * 0 0 5 7' ''
    tries precision 5 '0 0.333333343 2.5* [-1-9]* 0 0 0 7' ''
    tries flush 7 '0 0.333333343 0 0 0 0 0 7' ''
fi

# Of the program: put back, or looked at once.
run 0 one/state -p Changes.how=9 -p Changes.ininit=1
expect 'setlocale()' messages
for on in one two own; do
    run 0 env DAL_STATS=stats.json DAL_TRACE=trace.json $on/state -p Changes.how=10 -p Changes.ininit=1
    expect 'changed the working folder' messages
    [ -s stats.json ] && [ -s trace.json ] && ! grep -q elsewhere output || fail "folder, $on" output
    rm stats.json trace.json
    run 0 env DAL_STATS=stats.json DAL_TRACE=trace.json $on/state -p Changes.how=10
    [ -s stats.json ] && [ -s trace.json ] || fail "folder in fire, $on" output
    run 0 env DAL_STATS=stats.json $on/state -p Changes.how=11 -p Changes.ininit=1
    [ -s stats.json ] && [ ! -e other.json ] && [ ! -e other-times.json ] || fail "environment, $on" output
done

# Firings side by side: there is none behind it that could have it.
cat >beside.xml <<END
<processnetwork name="beside">
  <process name="Changes" source="changes.c" libs="-lm"><parameter name="how" value="0"/><parameter name="ininit" value="0"/></process>
  <process name="Beside" source="beside.c" libs="-lm" stateless="true" shadowcopies="2"/>
  <process name="Stays" source="stays.c" libs="-lm"/>
  <channel from="Changes.out" to="Beside.in" tokensize="56"/>
  <channel from="Beside.out" to="Stays.in" tokensize="56"/>
</processnetwork>
END
cat >side.xml <<END
<mapping name="m"><binding name="a"><process name="*"/><processor name="core_0"/></binding>
<binding name="b"><process name="Beside"/><processor name="core_0"/><processor name="core_1"/></binding></mapping>
END
synthesise -o beside beside.xml machine.xml side.xml
run 1 beside/beside
expect 'process Beside: fire leaves floating-point control' messages
echo "$0: all good"
