#!/usr/bin/env bash
# Cyclo-static processes: each firing of a cycle has its own windows, and what comes out is the same
# on one core, on several, in copies and as kernels. Results are made here, by awk, from what the
# processes are for.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

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
network() { # ATTRIBUTES-OF-PICK
    cat <<END
<processnetwork name="phases">
  $(process Source source.c '' +out last=1000)
  $(process Pick pick.c "${1:-}" in +out) $(sink Picked)
  $(process Deal deal.c '' in +x +y zero=0) $(process Join join.c '' x y +out) $(sink Joined)
  $(process Resample resample.c '' in +out) $(sink Resampled)
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

# Whole cycles alone are read: 333 of three numbers, of 1000.
seq 1 999 | awk 'NR % 3 == 1 { print $1 } NR % 3 == 0 { print $1; print $1 + 2000 }' >Picked.right
seq 1 999 >Joined.right
awk 'BEGIN {
    split("3 -1 4 1 -5 9", taps, " ")
    for (n = 0; n < 666; n++) {
        sum = 0
        for (k = 0; k < 6; k++) {
            at = 3 * n - k
            if (at >= 0 && at % 2 == 0 && at / 2 < 1000)
                sum += taps[k + 1] * (at / 2 + 1)
        }
        print sum
    }
}' >Resampled.right

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
    sed -i 's/, int DAL_PHASE/, float DAL_PHASE/' pick.cl
    refuse "argument 'DAL_PHASE' is the phase; its type is to be int or uint" network.xml device.xml kernels.xml
    sed -i 's/, float DAL_PHASE/, int DAL_PHASE/; $a __kernel void Other(__global int *out) { Pick(out, out, 0); }' pick.cl
    refuse "its kernel 'dal__Pick' cannot be called once for each phase" network.xml device.xml kernels.xml
    network | sed 's/tokenratein="min[^"]*"/tokenratein="1"/' >plain.xml
    cp "$input/pick.cl" .
    refuse "is the phase of a cyclo-static process, and this one has no sequence of rates" plain.xml device.xml kernels.xml
fi

# A process may end in the middle of a cycle: what the phases before have written is sent.
for keeps in -DPLAIN -DKEEPS; do
    cat >network.xml <<END
<processnetwork name="burst">
  $(process Burst burst.c '' +out last=32 | sed "s/burst.c\"/& cflags=\"$keeps\"/")
  $(sink Sunk)
  $(channel c Burst out Sunk in 'tokenratein="2,0,1"')
</processnetwork>
END
    synthesise -o out network.xml architecture.xml one.xml
    grep -c "    .run" out/Burst_unit.c >>runs || true
    run 0 out/burst
    [ "$(tr '\n' ' ' <Sunk.txt)" = "$(seq 1 32 | tr '\n' ' ')" ]
    check "burst $keeps: $(tr '\n' ' ' <Sunk.txt)" $?
done

[ "$(tr "\n" " " <runs)" = "1 0 " ]
check "p is kept in one of two" $?

# What a phase does not have cannot be read, and what it has must be written.
wrong() { # FAULT TEXT
    cat >network.xml <<END
<processnetwork name="wrong">
  $(process Source source.c '' +out last=100)
  $(process Wrong wrong.c '' in +out | sed "s/wrong.c\"/& cflags=\"-DFAULT=$1\"/")
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

# A cycle runs at once: the tokens of all its phases must be there. What lacks is said.
loop() { # INITIAL-TOKENS
    cat <<END
<processnetwork name="loop">
  $(process Source source.c '' +out last=100)
  $(process Sums sums.c '' in back +forth +out)
  $(sink Sunk)
  $(channel c Source out Sums in)
  $(channel state Sums forth Sums back "initialtokens=\"$1\"")
  $(channel d Sums out Sunk in 'tokenratein="0,1"')
</processnetwork>
END
}
loop 1 >network.xml
refuse "process 'Sums' waits for 'Sums' to write to sw_channel 'state': 1 tokens are there, it reads 2" \
    network.xml architecture.xml one.xml
expect "with initialtokens=\"2\" on sw_channel 'state' (now 1)" messages
expect "process 'Sums' is cyclo-static: it begins a cycle when all tokens and all space of its 2 firings are there" messages
loop 2 >network.xml
synthesise -o out network.xml architecture.xml one.xml
run 0 out/loop
[ "$(tail -n 1 Sunk.txt)" -eq $((50 * 51)) ] # 2 + 4 + .. + 100
check "sums of every other number: $(tail -n 1 Sunk.txt)" $?

echo "$passed things are right"
