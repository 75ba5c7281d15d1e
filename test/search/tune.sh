#!/usr/bin/env bash
# dalmap NETWORK and dal tune: nothing is given but a network. The machine is measured once, and the network timed once; the
# simple mappings are run beside the best; a signal leaves what is best so far.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
PATH=$build/tools:$build/synth:$build/view:$PATH
mkdir empty
export TMPDIR=$work/empty
measured='dal tune: note: this machine is measured'
timed='dal tune: note: times of all processes on cores'

# found FOLDER: there is all that there should be of a network that prints 100 at last
found() {
    [ "$("$1/first" | tail -n 1)" = 100 ] || fail "no program in $1" messages
    "$dalsynth" --check first.xml "$1/architecture.xml" "$1/mapping.xml" >out 2>log || fail "dalsynth refuses it" log
    [ -z "$(ls -A "$TMPDIR")" ] || fail "something is left"
}

has_program() {
    compgen -G "$TMPDIR/dalsynth-*/mapping_1/first" >/dev/null
}

run 0 dal new first
cd first

# ---- all at once -----------------------------------------------------------------------------------------------------

run 0 dal tune --time-limit=6000 --run=1 --run-time=300
expect "$measured, for 5 s at most, once" messages
expect "$timed" messages
found tuned
expect '<cost of="firing"' tuned/architecture.xml
expect '"dal-times"' tuned/times.json
expect 'tuned/first is the program' output
[ "$(grep -c ' taken *$' output)" -eq 1 ] || fail "one is taken" output
# What is simple is among what was run, and the page shows it.
cores=$(grep -c 'name="POSIX"' tuned/architecture.xml) devices=$(grep -c 'name="OPENCL"' tuned/architecture.xml || true)
grep -qE '^core_[0-9]+ ' output || fail "all on one core" output
[ "$cores" -eq 1 ] || grep -q "^all of $cores cores " output || fail "all on all cores" output
[ "$devices" -eq 0 ] || grep -q '^core.*, device_0 ' output || fail "the kernel on the device" output
[ "$(grep -c '; measured: ' tuned/mapping.xml)" -eq "$(grep -cE '^(core|all|device)' output)" ] || fail "the same in the mapping" output
expect ': this mapping' tuned/mapping.xml
expect ': this mapping' tuned/tuned.html

# ---- what is known is not found out again ----------------------------------------------------------------------------

# One mapping is enough from here on: the pin leaves no other.
quick=(--run=1 --run-time=300 --time-limit=6000 '--pin=*=core_0')
sed -i 's/ work\.cl//' first.xml
POCL_MEMORY_LIMIT=2 run 0 dal tune "${quick[@]}" -o again # the device gives less in one piece, as when memory is scarce
expect "$timed" messages
! grep -qF "$measured" messages || fail "the machine is measured again" messages
run 0 dal tune "${quick[@]}" -o again
[ ! -s messages ] || fail "it is measured again" messages
found again
echo '/* another text */' >>work.c
run 0 dal tune "${quick[@]}" -o again
expect "$timed" messages
# So are compilers' options, and libraries.
sed -i 's/source="work.c"/& libs="libmore.a"/' first.xml
more() { # CODE: the library has it
    "${CC:-cc}" -x c -c -o more.o - <<<"$1" && ar rc libmore.a more.o || fail "no library"
}
more 'int more;'
run 0 dal tune "${quick[@]}" -o again
run 0 dal tune "${quick[@]}" -o again
[ ! -s messages ] || fail "it is measured again" messages
more 'int more[2];'
run 0 dal tune "${quick[@]}" -o again
expect "$timed" messages
CFLAGS=-O1 run 0 dal tune "${quick[@]}" -o again
expect "$timed" messages
# Other parameters may be other work; times that are given are taken as they are.
run 0 dalmap "${quick[@]}" --profile=0.1 -p Source.count=20 -o again first.xml
expect "dalmap: note: times of all processes on cores" messages
cp again/times.json times.json
run 0 dalmap "${quick[@]}" --times=times.json -o again first.xml
! grep -q 'note: times' messages || fail "times that are given" messages
# What is said to be in the folder is there.
for name in $(sed -n 's/.*Beside it are //; s/,//g; s/\.$//p' output); do
    [ -e "again/$name" ] || fail "no $name in it" output
done
# Who asks for a run gets one, and none who asks for none.
run 0 dal tune "${quick[@]}" --profile=0.1 --run=0 -o again
expect "$timed" messages
! grep -q ' taken *$' output || fail "mappings are run" output
# What was measured in a hurry is not kept.
hurried=(--run=0 --time-limit=1 '--pin=*=core_0')
for _ in 1 2; do
    DAL_KERNEL_CACHE=$work/hurried run 0 dal tune "${hurried[@]}" -o again
    expect "$measured, for 0.0833 s at most and not kept" messages
    expect "$timed" messages
done
# A run that is shorter than the start of the program is made again.
run 0 dalmap --run=0 --time-limit=6000 --profile=0.0001 '--pin=*=core_0' --times=short.json -o again first.xml
# A reader that goes leaves nothing behind.
DAL_KERNEL_CACHE=$work/hurried dal tune "${hurried[@]}" -o again 2>&1 | true || true
[ -z "$(ls -A "$TMPDIR")" ] || fail "something is left"
# Values of an open variable are tried for half of the time, but one always is.
sed 's|<processnetwork name="first">|&<variable name="many" value="auto" most="5"/>|' first.xml >many.xml
run 0 dalmap --run=1 --run-time=300 --time-limit=0.01 '--pin=*=core_0' --times=times.json -o late many.xml
expect "many = 1: " late/mapping.xml
expect "; there was no time for the others." late/mapping.xml
! grep -q 'many = 5: ' late/mapping.xml || fail "all are tried" late/mapping.xml
# Values that were not tried have no times yet, and get them the next time.
sed 's/most="5"/most="3"/; s|to="Work.in"|& tokenrateout="many"|' many.xml >rates.xml
run 0 dalmap --run=1 --run-time=300 --time-limit=0.01 --profile=0.1 '--pin=*=core_0' -o late rates.xml
expect "; there was no time for the others." late/mapping.xml
run 0 dalmap "${quick[@]}" -o rates rates.xml
expect "dalmap: note: times of all processes on cores" messages
expect "many = 3: " rates/mapping.xml
! grep -q ': none' rates/mapping.xml || fail "values without times" rates/mapping.xml
run 0 dalmap "${quick[@]}" -o rates rates.xml
[ ! -s messages ] || fail "it is measured again" messages
# While no value can run, the time limit ends the tries.
sed 's/most="3"/most="64"/' rates.xml >unpinned.xml
run 1 dalmap --time-limit=0.01 '--pin=*=core_99' --times=times.json -o unpinned unpinned.xml
expect "[unknown-processor] pin *=core_99" messages
expect "[no-mapping] the time limit ended the search before values of the variables that are left open could run" messages

# ---- a signal --------------------------------------------------------------------------------------------------------

sed -i 's/\*in \* \*in;/*in < 9999 ? *in * *in : 0;/' work.c # no number makes it overflow

start dalmap --run-time=3000 --time-limit=60000 --profile=0.5 '--pin=*=core_0' -p Source.count=2000000000 -o stopped first.xml
until_so has_program
kill -INT $running
ended
[ "$status" -eq 0 ] || fail "interrupted runs: exit status $status" messages
found stopped
expect "A signal ended the runs." stopped/mapping.xml

# A stand-in for dalview draws until it is ended. A signal then costs the page, and a second one ends all.
mkdir -p "$work"/stand/{synth,view}
cp "$build/synth/dalmap" "$work/stand/synth"
ln -s "$build/tools" "$build/dal-uninstalled.pc" "$work/stand"
export DRAWING=$work/drawing
printf '#!/bin/sh\n: >"$DRAWING"\nexec sleep 1000\n' >"$work/stand/view/dalview"
chmod +x "$work/stand/view/dalview"
start "$work/stand/synth/dalmap" "${quick[@]}" -o unseen first.xml
until_so test -e "$DRAWING"
kill -INT $running
ended
[ "$status" -eq 0 ] || fail "interrupted page: exit status $status" messages
expect "there is no page, tuned.html" messages
! grep -q 'everything is on all cores' messages || fail "what was found is lost" messages
found unseen
[ -e unseen/times.json ] && [ ! -e unseen/tuned.html ] || fail "all but the page" messages
rm "$DRAWING"
start "$work/stand/synth/dalmap" --run-time=3000 --time-limit=60000 --profile=0.5 '--pin=*=core_0' -p Source.count=2000000000 -o none first.xml
until_so has_program
kill -INT $running
until_so test -e "$DRAWING"
kill -INT $running
ended
[ "$status" -ne 0 ] && [ ! -e none ] || fail "two signals: exit status $status" messages
! grep -q 'everything is on all cores' messages || fail "a mapping was known" messages

DAL_KERNEL_CACHE=off start dal tune -o early
until_so grep -qF "$measured" messages
kill -INT $running
ended
[ "$status" -eq 0 ] || fail "interrupted at first: exit status $status" messages
expect "interrupted before a mapping was found: everything is on all cores" messages
found early

DAL_KERNEL_CACHE=off start dal tune '--pin=*=core_0' -o early_pinned
until_so grep -qF "$measured" messages
kill -INT $running
ended
[ "$status" -eq 1 ] && [ ! -e early_pinned ] || fail "an early signal and a pin: exit status $status" messages
expect "interrupted before a mapping was found that keeps what is asked for" messages

# What a compiler leaves that a signal has ended goes with the folder of the build.
printf '#!/bin/sh\n: >"$TMPDIR/left.$$"\nexec %s "$@"\n' "${CC:-cc}" >"$work/leaves"
chmod +x "$work/leaves"
CC=$work/leaves run 0 dalmap "${quick[@]}" -o left first.xml
found left

# A first signal during the last build costs time, and not what was found. A second one ends all.
export LATE=$work/late_build
cat >"$work/waits" <<END
#!/bin/sh
case "\$PWD \$*" in
*late.making*) mkdir "\$LATE" 2>/dev/null && exec sleep 1000 ;;
*never.making*) : >"\$LATE.never" && exec sleep 1000 ;;
esac
exec ${CC:-cc} "\$@"
END
chmod +x "$work/waits"
CC=$work/waits start dalmap "${quick[@]}" -o late first.xml
until_so test -e "$LATE"
kill -TERM $running
ended
[ "$status" -eq 0 ] || fail "interrupted last build: exit status $status" messages
expect "interrupted: the program of the best mapping is built all the same" messages
found late
CC=$work/waits start dalmap "${quick[@]}" -o never first.xml
until_so test -e "$LATE.never"
kill -TERM $running
until_so grep -q 'built all the same' messages
kill -TERM $running
ended
[ "$status" -ne 0 ] && [ ! -e never ] || fail "two signals in the last build: exit status $status" messages

# A program that does not end when it is asked to does not hold up the rest.
sed 's/source="work.c"/source="stays.c"/' first.xml >stays.xml
sed 's/^ *\*out = /    for (;;)\n        pause();\n&/; 1i #include <unistd.h>' work.c >stays.c
once=(--run=0 --time-limit=20 --profile=1 '--pin=*=core_0')
run 1 dalmap "${once[@]}" -o stays stays.xml
expect "did not end when it was asked to (SIGINT)" messages
# One that reads standard input, which is empty, has no times.
sed 's/source="source.c"/source="reads.c"/' first.xml >reads.xml
sed '/^int Source_fire/,/^{/s/^{$/&\n    if (getchar() == EOF)\n        return 1;/; s/^int Source_fire.*/#include <stdio.h>\n&/' source.c >reads.c
run 1 dalmap "${once[@]}" -o reads reads.xml
expect "nothing on standard input" messages

# ---- what is refused, at once and by name ----------------------------------------------------------------------------

run 1 dal tune -o schemas
expect "schemas: error: [output-directory] is there, is not empty" messages
sed 's/source="work.c"/source="none.c"/' first.xml >bad.xml
run 1 dalmap -o bad bad.xml
expect "bad.xml:" messages
expect "none.c" messages
! grep -q measured messages || fail "it is measured before it is read" messages
[ ! -e bad ] || fail "something is written"
sed 's|to="Work.in"|& tokenrateout="dynamic"|' first.xml >rate.xml
run 1 dalmap -o rate rate.xml
expect "[kpn-process]" messages
! grep -q measured messages || fail "it is measured before it is refused" messages
run 1 dalmap -o no/such/folder first.xml
expect "[output-directory] cannot make a folder beside it" messages
! grep -q measured messages || fail "it is measured before the folder is tried" messages
run 2 dalmap --objective=memory first.xml
expect "dalmap: --objective wants an architecture, too" messages
cd "$TMPDIR"
run 1 dal tune
expect "no folder that 'dal new' has made" messages
rm output messages
[ -z "$(ls -A)" ] || fail "something is left"
