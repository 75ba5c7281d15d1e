#!/usr/bin/env bash
# The verbs of dal: what a beginner types, rightly and wrongly; each line of input/cases. A verb that is another program is
# found beside dal, where it is installed as where it is built.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

cp "$source"/apps/hello/*.{xml,c,cl} .
"$dalinfo" --architecture -o arch.xml
PATH=$build/tools:$build/synth:$build/view:$PATH

bad=0
while IFS='|' read -r wanted line text; do
    case $wanted in '' | '#'*) continue ;; esac
    status=0
    # shellcheck disable=SC2086 # words
    $line >said 2>&1 </dev/null || status=$?
    if [ "$status" = "$wanted" ] && { [ -z "$text" ] || grep -qF -e "$text" said; }; then
        passed=$((passed + 1))
    else
        bad=$((bad + 1))
        echo "FAIL: $line: status $status, not $wanted; it does not say '$text':"
        head -n 5 said
    fi
done <"$input/cases"
[ $bad -eq 0 ] && [ $passed -gt 60 ] || fail "$bad lines of input/cases"

# Each verb of the list has a help of its own, and each name in front of a list of options is one.
run 0 dal help
sed -n 's/^  \([a-z][a-z]*\) .*/\1/p' output >verbs
[ "$(wc -l <verbs)" -ge 15 ] || fail "a list of verbs" verbs
while read -r verb; do
    run 0 dal "$verb" --help
    grep -qi '^usage: dal' output || fail "dal $verb --help" output
    # The options that it names are the verb's, but for some of others that stand beside their program.
    grep -oE '^ {2,8}(-[a-zA-Z], +)?--[a-z0-9-]+' output | grep -oE -e '--.*' >options || true
    grep -oE -e '--[a-z][a-z0-9-]*' output | grep -vxF -f options -e --architecture -e --explain -e --tap >others || true
    [ ! -s others ] || fail "dal $verb --help names options that it does not have" others
done <verbs
for verb in check explain; do
    run 0 dal $verb --help
    ! grep 'leaves' output || fail "dal $verb leaves nothing in a folder"
done

# The plan behind each pass: input/plans. REGENERATE=1 writes them.
golden=$source/test/synth/golden
run 0 dal check --dump=LIST
sed 's/ .*//' output >passes
while read -r pass; do
    dal check --dump="$pass" "$golden/shop.xml" "$golden/machine.xml" "$golden/devices.xml" >"shop.$pass" 2>log || fail "--dump=$pass" log
    [ -z "${REGENERATE:-}" ] || cp "shop.$pass" "$input/plans/"
    cmp "shop.$pass" "$input/plans/shop.$pass" || fail "another plan behind $pass" <(diff "$input/plans/shop.$pass" "shop.$pass")
done <passes
for plan in "$input"/plans/*; do
    [ -e "${plan##*/}" ] || fail "$plan is of no pass"
done

# Of a network alone, messages name what the user has, and not the mapping that was made for it.
cat >k.xml <<'END'
<processnetwork name="k"> <!-- a kernel alone -->
  <process name="Source" source="producer.c"/>
  <process name="Work" source="square.cl"/>
  <channel from="Source.out" to="Work.in" type="float"/>
</processnetwork>
END
for command in 'dal run' 'dal check' 'dal check --format=json' "$dalsynth --check"; do
    # shellcheck disable=SC2086 # words
    run 1 $command k.xml
    cat output messages >said
    expect "process 'Work' has no source that runs on a core; add a .c, or give an architecture and a mapping" said
    ! grep 'dalsynth-' said || fail "$command: a file that is gone" said
    [[ $command == *json ]] || expect 'k.xml:3: error: [capability-mismatch]' said
done
sed 's/ source="square.cl"//' k.xml >none.xml
run 1 dal check none.xml
expect 'none.xml:3: error: [missing-source]' messages
! grep 'capability-mismatch' messages || fail "a second message of no source" messages
echo '<processnetwork name="k"/>' >none.xml
run 1 dal check none.xml
[ "$(cat messages)" = 'none.xml:1: error: [missing-process] the network has no process' ] || fail "no process" messages

# A program that is run takes signals and is found in the folder; what is in front of it is removed.
mkdir empty
TMPDIR=$work/empty run 0 dal run -o own hello.xml
expect '11 squares' output
[ -z "$(ls -A empty)" ] || fail "something is left"

# It has the environment of the user, which building changes for compilers.
run 0 dal new around
cd around
cat >sink.c <<'END'
#include "dal.h"
#include <stdlib.h>

int Sink_fire(DALProcess *p)
{
    int number;

    DAL_READ_TOKEN(in, &number, p);
    if (number == 1)
        DAL_printf("%s %s\n", getenv("LC_ALL"), getenv("SRCDIR"));
    return 0;
}
END
LC_ALL=C.UTF-8 SRCDIR=mine run 0 dal run around.xml
expect 'C.UTF-8 mine' output

# Its name is that of the network, but with a dot.
sed 's/name="around"/name="a.b"/' around.xml >dotted.xml
run 0 dal build --emit-only -o dotted dotted.xml
expect 'network_a_b:' dotted/Makefile
cd ..
echo "$passed lines, $(wc -l <verbs) verbs"
