#!/usr/bin/env bash
# Cyclo-static processes: each firing of a cycle has its own windows, and what comes out is the same
# on one core, on several, in copies and as kernels. Results are made here, by awk, from what the
# processes are for.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
export CFLAGS=${CFLAGS:--O1} # many programs, of which other tests see the code at -O3

cp "$input"/* .

process() { # NAME SOURCE ATTRIBUTES PORT...: an output port where its name begins with '+'
    local port
    echo "<process name=\"$1\" type=\"local\" $3>"
    for port in "${@:4}"; do
        case $port in
        +*) echo "<port type=\"output\" name=\"${port#+}\"/>" ;;
        *=*) echo "<parameter name=\"${port%%=*}\" value=\"${port#*=}\"/>" ;;
        *) echo "<port type=\"input\" name=\"$port\"/>" ;;
        esac
    done
    echo "<source id=\"0\" type=\"c\" location=\"$2\"/>"
    [ ! -e "${2%.c}_portable.c" ] || echo "<source id=\"1\" type=\"portable\" location=\"${2%.c}_portable.c\"/>"
    [ ! -e "${2%.c}.cl" ] || echo "<source id=\"2\" type=\"opencl\" location=\"${2%.c}.cl\"/>"
    echo "</process>"
}

sink() { # NAME
    process "$1" sink.c '' in "file=$1.txt"
}

# Source feeds all others through one port.
network() { # ATTRIBUTES-OF-PICK [ATTRIBUTES-OF-THE-OTHERS [LAST-NUMBER]]
    cat <<END
<processnetwork name="phases">
  $(process Source source.c '' +out last="${3:-1000}")
  $(process Pick pick.c "${1:-}" in +out) $(sink Picked)
  $(process Deal deal.c "${2:-}" in +x +y zero=0) $(process Join join.c "${2:-}" x y +out) $(sink Joined)
  $(process Resample resample.c "${2:-}" in +out) $(sink Resampled)
  $(channel pick Source out Pick in)
  $(channel deal Source out Deal in)
  $(channel resample Source out Resample in 'tokenrateout="2,1"')
  $(channel picked Pick out Picked in 'tokenratein="min(1, 2), 0, max(2, 1)"')
  $(channel x Deal x Join x 'tokenratein="1,0,0" tokenrateout="1,0"')
  $(channel y Deal y Join y 'tokenratein="0, 1, 1" tokenrateout="0,2"')
  $(channel joined Join out Joined in 'tokenratein="1,2"')
  $(channel resampled Resample out Resampled in)
</processnetwork>
END
}

answers() { # NUMBERS-THAT-PICK-READS NUMBERS-JOINED NUMBERS-RESAMPLED
    seq 1 "$1" | awk 'NR % 3 == 1 { print $1 } NR % 3 == 0 { print $1; print $1 + 2000 }' >Picked.right
    seq 1 "$2" >Joined.right
    awk -v count="$3" 'BEGIN {
        split("3 -1 4 1 -5 9", taps, " ")
        for (n = 0; n < count; n++) {
            sum = 0
            for (k = 0; k < 6; k++) {
                at = 3 * n - k
                if (at >= 0 && at % 2 == 0)
                    sum += taps[k + 1] * (at / 2 + 1)
            }
            print sum
        }
    }' >Resampled.right
}

# Whole cycles alone are read: 333 of three numbers, of 1000.
answers 999 999 666

# right NAME: what the program of this name writes is what it should be.
right() {
    rm -f Picked.txt Joined.txt Resampled.txt
    run 0 "out/$1" --strict
    for name in Picked Joined Resampled; do
        cmp "$name.txt" "$name.right" >log 2>&1 && status=0 || status=$?
        check "$1: $name differs" $status
    done
}

architecture core_0 core_1 >architecture.xml

network >network.xml
mapping "* 0 core_0" >one.xml
"$dalsynth" --explain -o out network.xml architecture.xml one.xml >explained
expect "Pick is cyclo-static: what counts as one firing is a cycle of 3" explained
grep -qE "^picked +Pick -> Picked +core +1,0,2 -> 1 " explained || fail "rates are not shown" explained
right phases

mapping "* 0 core_0" "Deal 0 core_1" "Resampled 0 core_1" >two.xml
synthesise -o out network.xml architecture.xml two.xml
right phases

network 'shadowcopies="4" stateless="true"' >network.xml
mapping "* 0 core_*" >copies.xml
synthesise -o out network.xml architecture.xml copies.xml
right phases

# Fired phase by phase, the numbers that are left read are those of the last phase that has its own: of 1001, Pick takes 2
# more than 333 cycles, and writes for the first; Join needs 2 for its phase 1; Resample's phase 0 takes 2.
answers 1001 1000 667
network 'firing="phase"' 'firing="phase"' 1001 >tail.xml
for map in one two copies; do
    "$dalsynth" --explain -o out tail.xml architecture.xml "$map.xml" >explained
    expect "Pick is fired phase by phase where a cycle lacks tokens or space: the network says so" explained
    right phases
done
mapping "* 0 core_0" "Pick 1 core_0" "Deal 1 core_1" "Join 1 core_1" >portable.xml
synthesise -o out tail.xml architecture.xml portable.xml
right phases
answers 999 999 666

# Portable sources, on a core and on a device: by themselves, and as a group.
network >network.xml
portables=("Pick 1 device_0" "Deal 1 device_0" "Join 1 device_0")
mapping "* 0 core_0" "Pick 1 core_0" "Deal 1 core_1" "Join 1 core_1" >portable.xml
synthesise -o out network.xml architecture.xml portable.xml
right phases
"$dalinfo" --architecture >devices.xml
if has_device devices.xml; then
    architecture core_0 device_0 >device.xml
    for rest in '' 'workitems="4"' 'group="yes" workitems="1"' 'group="yes" workitems="8"'; do
        mapping "* 0 core_0" "${portables[@]/%/ ${rest:+$rest}}" >portable.xml
        "$dalsynth" --explain -o out network.xml device.xml portable.xml >explained 2>&1 ||
            fail "dalsynth with $rest" explained
        right phases
        mapping "* 0 core_0" "Pick 2 device_0 $rest" "Deal 2 device_0 $rest" "Join 1 device_0 $rest" >kernels.xml
        "$dalsynth" --explain -o out network.xml device.xml kernels.xml >explained 2>&1 ||
            fail "dalsynth with kernels and $rest" explained
        right phases
        [[ $rest != group* ]] || expect "launched as one on device_0: Deal, Join" explained
    done
    # Many phases make a long constant of the rates.
    network | sed 's/tokenratein="min[^"]*"/tokenratein="1,0,2,1,0,2,1,0,2,1,0,2,1,0,2"/' >many.xml
    "$dalsynth" --check many.xml device.xml kernels.xml >checked 2>&1 || fail "a kernel of 15 phases" checked
    sed -i 's/, int DAL_PHASE/, float DAL_PHASE/' pick.cl
    refuse "argument 'DAL_PHASE' is the phase; its type is to be int or uint" network.xml device.xml kernels.xml
    sed -i 's/, float DAL_PHASE/, int DAL_PHASE/; $a __kernel void Other(__global int *out) { Pick(out, out, 0); }' pick.cl
    refuse "its kernel 'Pick' cannot be called once for each phase" network.xml device.xml kernels.xml
    network | sed 's/tokenratein="min[^"]*"/tokenratein="1"/' >plain.xml
    cp "$input/pick.cl" .
    refuse "is the phase of a cyclo-static process, and this one has no sequence of rates" plain.xml device.xml kernels.xml
fi

# A process may end in the middle of a cycle: what the phases before have written is sent.
for keeps in -DPLAIN -DKEEPS -DPLAIN\ phase; do
    read -r keeps firing <<<"$keeps"
    cat >network.xml <<END
<processnetwork name="burst">
  $(process Burst burst.c "firing=\"${firing:-cycle}\"" +out last=32 | sed "s/burst.c\"/& cflags=\"$keeps\"/")
  $(sink Sunk)
  $(channel c Burst out Sunk in 'tokenratein="2,0,1"')
</processnetwork>
END
    synthesise -o out network.xml architecture.xml one.xml
    grep -c "    .run" out/Burst.h >>runs || true
    run 0 out/burst
    [ "$(tr '\n' ' ' <Sunk.txt)" = "$(seq 1 32 | tr '\n' ' ')" ]
    check "burst $keeps: $(tr '\n' ' ' <Sunk.txt)" $?
done

[ "$(tr "\n" " " <runs)" = "1 0 2 " ]
check "p is kept in one of two" $?

# What a phase does not have cannot be read, and what it has must be written.
wrong() { # FAULT TEXT [ATTRIBUTES]
    cat >network.xml <<END
<processnetwork name="wrong">
  $(process Source source.c '' +out last=100)
  $(process Wrong wrong.c "${3:-}" in +out | sed "s/wrong.c\"/& cflags=\"-DFAULT=$1\"/")
  $(sink Sunk)
  $(channel c Source out Wrong in 'tokenrateout="2,1"')
  $(channel d Wrong out Sunk in)
</processnetwork>
END
    synthesise -o out network.xml architecture.xml one.xml
    run 1 out/wrong
    expect "process Wrong: $2" messages
    passed=$((passed + 1))
}
wrong 1 "DAL_read asks for 4 bytes of port in, but a firing has 4, 4 of them used"
wrong 2 "phase 1 of cycle 3 wrote 0 of 4 bytes to port out"
wrong 1 "DAL_read asks for 4 bytes of port in, but a firing has 4, 4 of them used" 'firing="phase"'
wrong 2 "phase 1 of cycle 3 wrote 0 of 4 bytes to port out" 'firing="phase"'

# A loop that has tokens for a phase, and not for a cycle. Its processes are fired phase by phase, and others are not.
loop() { # NUMBERS FIRING [ATTRIBUTES-OF-LEFT [ATTRIBUTES-OF-in-AND-out]]
    cat <<END
<processnetwork name="loop">
  $(process Source source.c '' +out last="$1")
  $(process Left left.c "${3:-}" in back +forth +out)
  $(process Right right.c "$2" in +out | sed "s/right.c\"/& cflags=\"${cflags:-}\"/")
  $(process Pick pick.c '' in +out)
  $(sink Sunk) $(sink Picked)
  $(channel in Source out Left in "${4:-}")
  $(channel forth Left forth Right in 'tokenratein="2,1" tokenrateout="1,2"')
  $(channel back Right out Left back 'tokenratein="2,1" tokenrateout="1,2" initialtokens="1"')
  $(channel out Left out Sunk in "tokenratein=\"0,1\" ${5:-}")
  $(channel too Left out Pick in 'tokenratein="0,1"')
  $(channel picked Pick out Picked in 'tokenratein="1,0,2"')
</processnetwork>
END
}

# The same as a plain loop: of an odd count of numbers the last one is read, and nothing is written for it.
loop_right() { # NUMBERS
    awk -v count="$1" 'function add(number) { sum = (sum * 31 + number) % 1000003 }
    BEGIN {
        back = 0
        for (n = 1; n <= count; n++) {
            add(n)
            add(back)
            first = sum
            second = sum + 1
            if (++n > count)
                break
            came = first * 7
            add(n)
            add(came)
            add(int(came / 3))
            print sum
            back = second * 7 + sum
        }
    }' >Sunk.right
    awk -v count=$(($1 / 2)) 'NR > count - count % 3 { next } NR % 3 == 1 { print } NR % 3 == 0 {
        print; print $1 + 2000 }' Sunk.right >Picked.right
}

# right_loop OPTION...: what the program writes is what it should be.
right_loop() {
    rm -f Sunk.txt Picked.txt
    run 0 out/loop --strict "$@"
    for name in Sunk Picked; do
        cmp "$name.txt" "$name.right" >log 2>&1 && status=0 || status=$?
        check "loop: $name differs" $status
    done
}

mapping "* 0 core_0" "Right 0 core_1" "Sunk 0 core_1" >two.xml
for cflags in -DPLAIN -DKEEPS; do
    loop 1 '' >network.xml
    for map in one two copies; do
        "$dalsynth" --explain -o out network.xml architecture.xml "$map.xml" >explained
        for numbers in 1 2 1001 6000; do
            loop_right $numbers
            right_loop -p Source.last=$numbers
        done
    done
done
for name in Left Right; do
    expect "$name is fired phase by phase where a cycle lacks tokens or space: the network deadlocks" explained
done
! grep -q "Pick is fired phase by phase" explained
check "Pick begins cycles" $?
has_phases() { # NAME
    grep -qF .run_phase "out/$1.h"
}
has_phases Left && ! has_phases Right && ! has_phases Pick
check "phases have code of their own where they are fired and p is not kept" $?

# Statistics count cycles, also one that was not gone on with: 500.5 of the loop. Right may see that Left, which alone reads
# it, has ended before it begins the last one.
loop_right 1001
loop 1001 '' >network.xml
synthesise -o out network.xml architecture.xml two.xml
DAL_STATS=stats.json right_loop
grep '"process": "Left"' stats.json | grep -q '"firings": 501,' || fail "cycles of Left" stats.json
grep '"process": "Right"' stats.json | grep -q '"firings": 50[01],' || fail "cycles of Right" stats.json

# A process of the loop that ends by itself, in any of its phases: what it did in that firing counts, as at a source's end. When
# Right ends in its firing k, Left has tokens for one more.
ending() { # FILE NUMBER-OF-FIRINGS: the source ends by itself
    sed 's/^ *unsigned sum;/&\n    int fired;/; s/return 0;/return ++p->local->fired == '"$2"';/' "$input/$1" >"$1"
    grep -q _local_states "$1" || sed -i 's/^#include "dal.h"/&\nstruct _local_states { int fired; };/' "$1"
}
loop 1001 '' >network.xml
for firings in 1 2 501; do
    for who in Left Right; do
        ending "$(echo "$who" | tr LR lr).c" "$firings"
        loop_right $((firings + (${#who} == 5)))
        for map in one two; do
            synthesise -o out network.xml architecture.xml "$map.xml"
            DAL_STATS=stats.json right_loop
            grep "\"process\": \"$who\"" stats.json | grep -q "\"firings\": $(((firings + 1) / 2))," ||
                fail "cycles of $who, which ends in its firing $firings" stats.json
        done
        cp "$input"/*.c .
    done
done

# Neighbours that are threads of their own, and move what they like.
loop_right 1001
loop 1001 '' '' 'tokenratein="dynamic"' 'tokenrateout="dynamic"' >network.xml
for map in one two; do
    synthesise -o out network.xml architecture.xml "$map.xml"
    right_loop
done

# What is asked for, and cannot be.
refuse_loop() { # TEXT FIRING-OF-LEFT [MAPPING]
    loop 10 'firing="phase"' "$2" >network.xml
    refuse "$1" network.xml architecture.xml "${3:-one.xml}"
}
refuse_loop "process 'Left' waits for 'Right' to write to sw_channel 'back'" 'firing="cycle"'
expect "process 'Left' is cyclo-static: it begins a cycle when all tokens and all space of its 2 firings are there" messages
refuse_loop "[bad-firing] process 'Left' is to be fired phase by phase, but it is periodic" 'firing="phase" period="1ms"'
refuse_loop "[bad-firing] process 'Left' is to be fired phase by phase, but it has shadow copies" \
    'firing="phase" stateless="true" shadowcopies="2"'
mapping "* 0 core_0" "Left 0 core_* shadowcopies=\"2\"" >many.xml
refuse_loop "binding 'b2': process 'Left' is fired phase by phase, so it has no shadow copies" '' many.xml
architecture core_0 device_0 >device.xml
mapping "* 0 core_0" "Deal 1 device_0" >portable.xml
refuse "binding 'b2': process 'Deal' is fired phase by phase, so it runs as C on cores, not on a device" \
    tail.xml device.xml portable.xml
# A size in the mapping that is enough by phases and not by cycles.
sized() { # FIRING-OF-JOIN
    echo '<processnetwork name="sized">'
    process Start source.c '' +ab +ac last=10
    process Gather pick.c '' in +out
    process Meet right.c "$1" first in
    channel ab Start ab Gather in 'tokenratein="4" tokenrateout="8"'
    channel ac Start ac Meet in 'tokenratein="4" tokenrateout="1,1,1,1"'
    channel bc Gather out Meet first 'tokenratein="2" tokenrateout="0,0,0,1"'
    echo '</processnetwork>'
}
for size in 4 5 7 8; do
    mapping "* 0 core_0" "<channel name=\"ac\" size=\"$size\"/>" >sized-map.xml
    sized '' >network.xml
    phases=0
    run $((size < 8)) "$dalsynth" --check network.xml architecture.xml sized-map.xml
    grep -q "note: with firing=\"phase\" on process 'Meet', as C on a core, it would not" messages || phases=1
    [ $phases -eq $((size < 5 || size == 8)) ] || fail "phases would help with a size of $size" messages
    sized 'firing="phase"' >network.xml
    run $((size < 5)) "$dalsynth" --check network.xml architecture.xml sized-map.xml
done
sized 'firing="cycle"' >network.xml
mapping "* 0 core_0" '<channel name="ac" size="5"/>' >sized-map.xml
refuse "the network deadlocks" network.xml architecture.xml sized-map.xml

# What a dead loop lacks is told by phases, as it would be fired.
ring() { # ATTRIBUTE
    echo '<processnetwork name="ring">'
    echo "<process name=\"A\" source=\"a.c\" $1/><process name=\"B\" source=\"a.c\"/>"
    echo '<channel name="to" from="A.o" to="B.i" type="int" tokenratein="1,2"/>'
    echo '<channel name="fro" from="B.o" to="A.i" type="int" tokenrateout="1,2" value="int: 7"/></processnetwork>'
}
touch a.c
ring '' >ring.xml
mapping "* - core_0" >on-core.xml
refuse 'with initialtokens="2" on sw_channel '"'fro' (now 1), and room for them, it would not" ring.xml architecture.xml on-core.xml
! grep "on sw_channel 'to' (now" messages >log || fail 'more tokens than a phase wants' log
ring 'firing="cycle"' >ring.xml
refuse "with initialtokens=\"1\" on sw_channel 'to' (now 0), and room for them, and what follows" ring.xml architecture.xml \
    on-core.xml

network 'firing="phase"' | sed 's/tokenratein="min[^"]*"/tokenratein="1"/' >plain.xml
run 0 "$dalsynth" --check plain.xml architecture.xml one.xml
expect "process 'Pick' has no sequence of rates, so that firing=\"phase\" means nothing" messages
network 'firing="phase"' | sed 's/tokenratein="min[^"]*"/tokenratein="dynamic"/' >plain.xml
refuse "[bad-firing] process 'Pick' is to be fired phase by phase, but it has a port with a dynamic rate" \
    plain.xml architecture.xml one.xml

# Nobody can say beforehand how such a loop goes.
loop 1001 '' >network.xml
synthesise -o out network.xml architecture.xml two.xml
DAL_TIMES=times.json run 0 out/loop
run 0 "$dalsynth" --check --explain --times=times.json network.xml architecture.xml two.xml
expect "Left (it is fired phase by phase)" output

echo "$passed things are right"
