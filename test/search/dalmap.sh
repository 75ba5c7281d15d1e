#!/usr/bin/env bash
# dalmap: the mapping that it writes is dalsynth's, and its prediction dalsynth's as well; what it refuses, and what a
# signal and a time limit leave.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
dalmap=$build/synth/dalmap

for name in Begin work End; do
    echo '#include "dal.h"' >$name.c
done
cat >>Begin.c <<'END'
int Begin_fire(DALProcess *p) { int token = 0; DAL_write(PORT_out, &token, sizeof(token), p); return 0; }
END
cat >>work.c <<'END'
int work_fire(DALProcess *p)
{
    int token;
    DAL_read(PORT_in, &token, sizeof(token), p);
    DAL_write(PORT_out, &token, sizeof(token), p);
    return 0;
}
END
cat >>End.c <<'END'
int End_fire(DALProcess *p) { int token; DAL_read(PORT_in, &token, sizeof(token), p); return 0; }
END

# chain N: Begin, N times Work_I, End; and times.json, where each but the ends takes 1 ms. No source is asked whether it keeps
# nothing.
chain() {
    local i last=Begin
    {
        echo '<processnetwork name="chain"><variable name="unused" value="1"/>'
        echo '<process name="Begin" stateless="false"><port type="output" name="out"/><source type="c" location="Begin.c"/></process>'
        echo '<process name="End" stateless="false"><port type="input" name="in"/><source type="c" location="End.c"/></process>'
        for ((i = 0; i < $1; i++)); do
            echo "<process name=\"Work_$i\" stateless=\"false\"><port type=\"input\" name=\"in\"/><port type=\"output\" name=\"out\"/>"
            echo '<source type="c" location="work.c"/></process>'
        done
        for ((i = 0; i < $1; i++)); do
            channel "c$i" "$last" out "Work_$i" in
            last=Work_$i
        done
        channel last "$last" out End in
        echo '</processnetwork>'
    } >chain.xml
    {
        printf '{"Begin": 1000, "End": 1000'
        for ((i = 0; i < $1; i++)); do
            printf ', "Work_%s": 1000000' $i
        done
        echo '}'
    } >times.json
}

# bound FILE PROCESS: where it is
bound() {
    awk -v name="<process name=\"$2\"" 'index($0, name) { mine = 1 }
        mine && /<processor / { split($0, part, "\""); print part[2]; exit }' "$1"
}

period() { # FILE: what is predicted, up to the first comma
    sed -n 's/^ *[Pp]redicted: \([^,]*\),.*/\1/p' "$1"
}

cores() { # FILE: how many are used
    grep -o '<processor name="[^"]*"' "$1" | sort -u | wc -l
}

bytes() { # FILE: of channels
    sed -n 's/^ *Channels: \([0-9]*\) bytes.*/\1/p' "$1"
}

# refused TEXT ARGUMENT...: exit status 1, this is said, and nothing is written
refused() {
    local text=$1
    shift
    run 1 "$dalmap" -o refused.xml "$@"
    expect "$text" messages
    [ ! -e refused.xml ] || fail "dalmap $* writes something"
    passed=$((passed + 1))
}

# ---- what it writes -------------------------------------------------------------------------------

chain 3
architecture core_0 core_1 core_2 core_3 >machine.xml
run 0 "$dalmap" --times=times.json -o map.xml chain.xml machine.xml
grep -q 'predicted: 1 ms an iteration, 1000 iterations/s; what limits it: core_' output || fail "summary" output
expect "Tried: all 202 mappings that differ; " map.xml # of 5 things some on all cores, the others in up to 4 parts
"$dalmap" --one-core --times=times.json chain.xml machine.xml >one.xml
expect "Tried: all 51 mappings that differ; " one.xml
check "the same without pools" "$([ "$(period one.xml)" = "$(period map.xml)" ]; echo $?)"
check "each of three has a core" "$([ "$(for i in 0 1 2; do bound map.xml Work_$i; done | sort -u | wc -l)" -eq 3 ]; echo $?)"
"$dalsynth" --check --explain --times=times.json chain.xml machine.xml map.xml >out 2>log || fail "dalsynth refuses it" log
check "dalsynth says nothing of it" "$([ ! -s log ]; echo $?)"
check "and predicts the same" "$([ "$(period map.xml)" = "$(period out)" ] && [ -n "$(period out)" ]; echo $?)"
"$dalmap" --times=times.json chain.xml machine.xml >again.xml 2>log
check "the same bytes, on standard output" "$(cmp map.xml again.xml && [ ! -s log ]; echo $?)"
"$dalmap" --exact=0 --times=times.json chain.xml machine.xml >local.xml
expect "no change that was tried makes it better." local.xml
check "changes find it, too" "$([ "$(period local.xml)" = "$(period map.xml)" ]; echo $?)"
"$dalmap" --exact=0 --times=times.json chain.xml machine.xml >again.xml
check "the same bytes from beginnings" "$(cmp local.xml again.xml; echo $?)"

# Three processes share four cores evenly where their source keeps nothing, which dalsynth finds.
sed 's/ stateless="false"//' chain.xml >found.xml
"$dalmap" --times=times.json found.xml machine.xml >spread.xml
check "three share four" "$(grep -q '^75[0-9.]* us' <<<"$(period spread.xml)"; echo $?)"
"$dalsynth" --check --explain --times=times.json found.xml machine.xml spread.xml >out 2>log || fail "dalsynth refuses it" log
check "and predicts the same" "$([ "$(period spread.xml)" = "$(period out)" ]; echo $?)"

# ---- wishes ---------------------------------------------------------------------------------------

"$dalmap" --pin=Work_0=core_3 --pin='Work_[12]=core_3' --times=times.json chain.xml machine.xml >pinned.xml
for i in 0 1 2; do
    check "pinned" "$([ "$(bound pinned.xml Work_$i)" = core_3 ]; echo $?)"
done
check "so they share a core" "$(grep -q '^3\(\.0[0-9]*\)\? ms' <<<"$(period pinned.xml)"; echo $?)"
"$dalmap" --leave=2 --one-core --times=times.json chain.xml machine.xml >two.xml
check "two cores are left" "$([ "$(cores two.xml)" -eq 2 ]; echo $?)"
check "two of three share one" "$(grep -q '^2\(\.0[0-9]*\)\? ms' <<<"$(period two.xml)"; echo $?)"
"$dalmap" --leave=2 --times=times.json chain.xml machine.xml >pool.xml
check "two cores are left of the pool" "$([ "$(cores pool.xml)" -eq 2 ]; echo $?)"
check "three share two" "$(grep -q '^1\.5[0-9]* ms' <<<"$(period pool.xml)"; echo $?)"
check "one of them is on both" "$([ "$(grep -c '<processor ' pool.xml)" -gt 5 ]; echo $?)"
"$dalsynth" --check --explain --times=times.json chain.xml machine.xml pool.xml >out 2>log || fail "dalsynth refuses it" log
check "and predicts the same" "$([ "$(period pool.xml)" = "$(period out)" ]; echo $?)"
mapping "Work_0 - core_2" "Work_1 - core_2" '<channel name="c1" size="64"/>' >keep.xml
"$dalmap" --keep=keep.xml --times=times.json chain.xml machine.xml >kept.xml
check "kept" "$([ "$(bound kept.xml Work_0)$(bound kept.xml Work_1)" = core_2core_2 ] && grep -q '<channel name="c1" size="64"/>' kept.xml; echo $?)"
"$dalsynth" --check chain.xml machine.xml kept.xml >out 2>log || fail "dalsynth refuses what is kept" log
"$dalmap" --objective=memory --times=times.json chain.xml machine.xml >memory.xml
check "no more memory" "$([ "$(bytes memory.xml)" -le "$(bytes map.xml)" ]; echo $?)"
check "nearly the period" "$(grep -q '^1\(\.0[0-5][0-9]*\)\? ms' <<<"$(period memory.xml)"; echo $?)"

"$dalmap" --objective=latency --times=times.json chain.xml machine.xml >latency.xml
latency() { # FILE: of the longest way in ms, as it is predicted with that mapping
    "$dalsynth" --check --explain --times=times.json chain.xml machine.xml "$1" | sed -n 's/^an iteration, .*, at most \([0-9.]*\) ms$/\1/p'
}
check "dalsynth keeps the latency" "$(grep -q "^ *Latency from Begin to End: $(latency latency.xml) ms at most.$" latency.xml; echo $?)"
check "which is less: $(latency latency.xml) of $(latency map.xml)" "$(awk -v a="$(latency latency.xml)" -v b="$(latency map.xml)" 'BEGIN { exit !(a < b) }'; echo $?)"
check "sizes are in the mapping" "$([ "$(grep -c '<channel name="[a-z0-9]*" size="' latency.xml)" -eq 4 ]; echo $?)"

# ---- a front ---------------------------------------------------------------------------------------

echo '{"Begin": 100000, "End": 200000, "Work_0": 1000000, "Work_1": 600000, "Work_2": 700000}' >uneven.json
uneven=(--leave=2 --one-core --times=uneven.json)
run 0 "$dalmap" --objective=front "${uneven[@]}" -o front chain.xml machine.xml
count=$(grep -vc '^#' front/front.txt)
check "several points: $count" "$([ "$count" -ge 3 ] && [ "$(find front -name '*.xml' | wc -l)" -eq "$count" ]; echo $?)"
expect "; $count points in front" output
check "a row for each" "$([ "$(grep -cE '^[0-9]+ +[0-9.]+ (us|ms) ' output)" -eq "$count" ]; echo $?)"
check "a header" "$(head -n 1 front/front.txt | grep -q '^# point period/ns iterations/s latency/ns channels/bytes processors firings-at-once'; echo $?)"
column() { # NUMBER POINT
    awk -v column="$1" -v point="$2" '$1 == point { print $column }' front/front.txt
}
explained() { # FILE: period and latency in ns, as dalsynth predicts them with that mapping; it says nothing else of it
    "$dalsynth" --check --explain --times=uneven.json chain.xml machine.xml "$1" 2>log |
        awk '/^predicted: / { period = $2 * 1e6 } /^an iteration, / { latency = $(NF - 1) * 1e6 } END { print period, latency }'
}
for ((i = 1; i <= count; i++)); do
    near=$(echo "$(explained "front/$i.xml") $(column 2 "$i") $(column 4 "$i")" |
        awk '{ print ($1 > 0 && $1 / $3 < 1.001 && $3 / $1 < 1.001 && $2 / $4 < 1.001 && $4 / $2 < 1.001) }')
    check "point $i is what it says" "$([ "$near" = 1 ] && [ ! -s log ]; echo $?)"
    check "its bytes, too" "$([ "$(bytes "front/$i.xml")" = "$(column 5 "$i")" ]; echo $?)"
    check "its processors, too" "$([ "$(cores "front/$i.xml")" = "$(column 6 "$i")" ]; echo $?)"
    check "with all sizes" "$([ "$(grep -c '<channel name="[a-z0-9]*" size="' "front/$i.xml")" -eq 4 ]; echo $?)"
done
check "none beats another, and the first has the least period" "$(awk '!/^#/ { p[++n] = $2; l[n] = $4; b[n] = $5 }
    END { for (i = 1; i <= n; i++) for (k = 1; k <= n; k++) if (i != k && p[i] <= p[k] && l[i] <= l[k] && b[i] <= b[k]) exit 1
          for (i = 2; i <= n; i++) if (p[i] < p[i - 1]) exit 1 }' front/front.txt; echo $?)"
"$dalmap" "${uneven[@]}" chain.xml machine.xml >map.xml
"$dalmap" --objective=latency "${uneven[@]}" chain.xml machine.xml >latency.xml
least() { # COLUMN FILE FIELD: is the least of the front at most 1 % more than that of a mapping?
    awk -v column="$1" -v other="$(explained "$2" | cut -d ' ' -f "$3")" '!/^#/ && (!least || $column < least) { least = $column }
        END { exit !(other > 0 && least <= 1.01 * other) }' front/front.txt
}
check "the period of --objective=throughput" "$(least 2 map.xml 1; echo $?)"
check "the latency of --objective=latency" "$(least 4 latency.xml 2; echo $?)"
mkdir again
run 0 "$dalmap" --objective=front "${uneven[@]}" -o again/ chain.xml machine.xml
check "the same bytes, in a folder that was empty" "$(diff -r front again >log; echo $?)"
run 0 "$dalmap" --objective=front "${uneven[@]}" --exact=0 -o local chain.xml machine.xml
expect "no change that was tried makes it better." local/1.xml
run 0 "$dalmap" --objective=front "${uneven[@]}" --exact=0 -o again-local chain.xml machine.xml
check "the same bytes from beginnings" "$(diff -r local again-local >log; echo $?)"
sed 's|<variable .*|&<latency from="Begin" to="End" max="3ms"/>|' chain.xml >promise.xml
run 0 "$dalmap" --objective=front "${uneven[@]}" -o promise promise.xml machine.xml
check "promises are kept by all" "$(awk '!/^#/ && $4 > 0.9 * 3e6 { late = 1 } END { exit late || NR < 2 }' promise/front.txt; echo $?)"
sed -i 's/max="3ms"/max="1ms"/' promise.xml
refused "promise.xml:1: error: [no-mapping] none of the 80 mappings that were tried keeps the latencies that are promised" --objective=front "${uneven[@]}" promise.xml machine.xml
refused "mappings that were tried keeps the latencies that are promised" "${uneven[@]}" promise.xml machine.xml
expect "promise.xml:1: error: [latency] latency from 'Begin' to 'End': 1 ms cannot be kept" messages
check "nothing else is said of it" "$(grep -q 'invalid argument' messages; echo $((!$?)))"

run 1 "$dalmap" --objective=front "${uneven[@]}" -o front chain.xml machine.xml
expect "dalmap: error: front: the folder is not empty" messages
check "what is there stays" "$(diff -r front again >log; echo $?)"
run 1 "$dalmap" --objective=front "${uneven[@]}" -o map.xml chain.xml machine.xml
expect "dalmap: error: map.xml: the points of a front need a folder" messages
run 1 "$dalmap" --objective=front "${uneven[@]}" -o none/front chain.xml machine.xml
expect "dalmap: error: none/: No such file or directory" messages
run 1 "$dalmap" --objective=front "${uneven[@]}" -o . chain.xml machine.xml
expect "dalmap: error: .: must be a folder of its own" messages
run 2 "$dalmap" --objective=front "${uneven[@]}" chain.xml machine.xml
expect "dalmap: --objective=front needs -o FOLDER" messages
run 2 "$dalmap" --objective=front --run=2 "${uneven[@]}" -o new chain.xml machine.xml
expect "dalmap: --run is not for --objective=front" messages
run 2 "$dalmap" --most=4 "${uneven[@]}" chain.xml machine.xml
expect "dalmap: --most is for --objective=front" messages
run 2 "$dalmap" --most=2 --objective=front "${uneven[@]}" -o new chain.xml machine.xml
expect "dalmap: --most wants a number from 3 to 1000" messages
check "nothing is made of these" "$([ ! -e new ] && [ -z "$(find . -name '*.making*')" ]; echo $?)"

# ---- variables that are left open ------------------------------------------------------------------

cat >farm.xml <<'END'
<processnetwork name="farm">
<variable name="workers" value="auto" most="5"/>
<process name="Begin"><iterator variable="i" range="workers">
<port type="output" name="out"><append function="i"/></port></iterator><source type="c" location="Begin.c"/></process>
<iterator variable="i" range="workers">
<process name="Work" stateless="false"><append function="i"/><port type="input" name="in"/><port type="output" name="out"/>
<source type="c" location="work.c"/></process>
<sw_channel name="a" tokensize="4"><append function="i"/><port type="input" name="in"/><port type="output" name="out"/></sw_channel>
<sw_channel name="b" tokensize="4"><append function="i"/><port type="input" name="in"/><port type="output" name="out"/></sw_channel>
<connection name="a1"><append function="i"/><origin name="Begin"><port name="out"><append function="i"/></port></origin>
<target name="a"><append function="i"/><port name="in"/></target></connection>
<connection name="a2"><append function="i"/><origin name="a"><append function="i"/><port name="out"/></origin>
<target name="Work"><append function="i"/><port name="in"/></target></connection>
<connection name="b1"><append function="i"/><origin name="Work"><append function="i"/><port name="out"/></origin>
<target name="b"><append function="i"/><port name="in"/></target></connection>
<connection name="b2"><append function="i"/><origin name="b"><append function="i"/><port name="out"/></origin>
<target name="End"><port name="in"><append function="i"/></port></target></connection>
</iterator>
<process name="End"><iterator variable="i" range="workers">
<port type="input" name="in"><append function="i"/></port></iterator><source type="c" location="End.c"/></process>
</processnetwork>
END
echo '{"Begin": 1000, "End": 1000, "Work": 1000000}' >farm.json
architecture core_0 core_1 core_2 >three.xml
"$dalmap" --times=farm.json farm.xml three.xml >farm-map.xml
check "a worker for each core, and no more" "$(grep -q '<variable name="workers" value="3"/>' farm-map.xml; echo $?)"
check "all were tried" "$(grep -q 'workers = 1: 250[.0-9]* us; .*workers = 5: ' farm-map.xml; echo $?)"
"$dalsynth" --check --explain --times=farm.json farm.xml three.xml farm-map.xml >out 2>log || fail "dalsynth refuses it" log
check "dalsynth has three" "$(grep -q '^Work_2 ' out && ! grep -q '^Work_3 ' out && [ "$(period farm-map.xml)" = "$(period out)" ]; echo $?)"
"$dalmap" -D workers=2 --times=farm.json farm.xml three.xml >two.xml
check "what is given is given" "$(grep -q '<variable name="workers" value="2"/>' two.xml && ! grep -q 'Open variables' two.xml; echo $?)"
"$dalmap" --keep=two.xml --times=farm.json farm.xml three.xml >kept.xml
check "what is kept is kept" "$(grep -q '<variable name="workers" value="2"/>' kept.xml; echo $?)"
mapping "* - core_0" >keep-none.xml
refuse "farm.xml:2: error: [open-variable] variable 'workers' is left open" --check farm.xml three.xml keep-none.xml
refuse "error: [unknown-process]" --check -D workers=1 farm.xml three.xml two.xml
sed 's/ most="5"//; s/range="workers"/range="workers*1"/' farm.xml >any.xml
"$dalmap" --times=farm.json any.xml three.xml >any-map.xml
check "as many as processors, at most" "$(grep -q 'workers = 3: ' any-map.xml && ! grep -q 'workers = 4: ' any-map.xml; echo $?)"
sed 's/most="5"/most="257"/' farm.xml >many.xml
refused "farm.xml:2: error: [open-variable] variable 'workers' is left open, and a front is of one value" --objective=front --times=farm.json farm.xml three.xml
run 0 "$dalmap" --objective=front -D workers=2 --times=farm.json -o farm farm.xml three.xml
"$dalsynth" --check farm.xml three.xml farm/1.xml >out 2>log || fail "dalsynth refuses a point" log
refused "many.xml:1: error: [no-mapping] the variables that are left open have more than 256 choices" --times=farm.json many.xml three.xml

# ---- a device -------------------------------------------------------------------------------------

architecture core_0 device_0 >both.xml
sed -i 's/CPU_DEV1"/GPU_DEV1" memory="own" computeunits="64"/' both.xml
echo 'kernel void work(global int *in, global int *out) { *out = *in; }' >work.cl
sed 's|<source type="c" location="work.c"/>|&<source type="opencl" location="work.cl"/>|' chain.xml >kernels.xml
entry() { # PROCESS TYPE ON NS
    printf '{"process": "%s", "type": "%s", "on": "%s", "copies": 1, "items": 1, "firings": 9,
        "ns": {"mean": %s, "p10": %s, "median": %s, "p99": %s}}' "$1" "$2" "$3" "$4" "$4" "$4" "$4"
}
{
    printf '{"dal-times": 2, "machine": {"cores": "x"}, "times": [%s, %s' "$(entry Begin c core 1000)" "$(entry End c core 1000)"
    for i in 0 1 2; do
        printf ', %s' "$(entry Work_$i c core 100000)"
        [ $i -eq 2 ] || printf ', %s' "$(entry Work_$i opencl GPU_DEV1 500)"
    done
    printf ']}\n'
} >device.json
"$dalmap" --times=device.json kernels.xml both.xml >device.xml 2>log || fail "a device" log
expect "both.xml:3: warning: [unmeasured] 'device_0' is tried for 2 of the 3 processes that have a source for it: nobody has measured 'Work_2'" log
check "what was measured goes there" "$([ "$(bound device.xml Work_0)$(bound device.xml Work_1)" = device_0device_0 ]; echo $?)"
check "what was not does not" "$([ "$(bound device.xml Work_2)" = core_0 ]; echo $?)"
check "with its source" "$(grep -q '<process name="Work_0" sourceid="1"/>' device.xml; echo $?)"
"$dalsynth" --check --explain --times=device.json kernels.xml both.xml device.xml >out 2>log || fail "dalsynth refuses it" log
check "and predicts the same" "$([ "$(period device.xml)" = "$(period out)" ] && [ -n "$(period out)" ]; echo $?)"

mapping "Work_0 1 device_0" '<channel name="c1" kind="naive"/>' >naive.xml
"$dalmap" --objective=latency --keep=naive.xml --times=device.json kernels.xml both.xml >device.xml 2>log || fail "a kind that is kept" log
check "has a size, too" "$(grep -q '<channel name="c1" kind="naive" size="[0-9]*"/>' device.xml; echo $?)"
"$dalsynth" --check kernels.xml both.xml device.xml >out 2>log || fail "dalsynth refuses it" log

# ---- what it refuses ------------------------------------------------------------------------------

refused "chain.xml:1: error: [unknown-process] pin Wirk=core_0: process network 'chain' has no process 'Wirk'" \
    --pin=Wirk=core_0 --times=times.json chain.xml machine.xml
refused "machine.xml:1: error: [unknown-processor] pin Work_0=core_9" --pin=Work_0=core_9 --times=times.json chain.xml machine.xml
refused "kernels.xml:2: error: [capability-mismatch] pin Begin=device_0: process 'Begin' has no source for such a processor" \
    --pin=Begin=device_0 --times=times.json kernels.xml both.xml
refused "machine.xml:1: error: [no-mapping] 4 cores are to be left free" --leave=4 --times=times.json chain.xml machine.xml
refused "error: [no-mapping] no mapping keeps all pins" --leave=3 --pin=Begin=core_0 --pin=End=core_1 --times=times.json chain.xml machine.xml
sed 's/, "Work_1": 1000000//' times.json >some.json
refused "chain.xml:6: error: [unmeasured] process 'Work_1' has no measured time on any processor that it may run on; 'dalsynth --profile" \
    --times=some.json chain.xml machine.xml
architecture device_0 >devices.xml
refused "error: [capability-mismatch] process 'Begin' has no source that a processor of architecture 'machine' can run" \
    --times=times.json chain.xml devices.xml
sed 's|<port type="input" name="in"/>|&<port|' chain.xml >bad.xml
refused "bad.xml:3: error: [xml-syntax]" --times=times.json bad.xml machine.xml
echo '{"Begin": x}' >bad.json
refused "bad.json:1: error:" --times=bad.json chain.xml machine.xml
refused "none.json: error: [file]" --times=none.json chain.xml machine.xml
mapping "Work_1 - core_7" >keep.xml
refused "keep.xml:2: error: [unknown-processor]" --keep=keep.xml --times=times.json chain.xml machine.xml
sed 's/name="c0" /&tokenratein="dynamic" /' chain.xml >dynamic.xml
refused "error: [kpn-process] process 'Begin' has a port with a dynamic rate" --times=times.json dynamic.xml machine.xml
refused "[unknown-variable]" -D other=1 --times=times.json chain.xml machine.xml
run 1 "$dalmap" -o no/such/folder.xml --times=times.json chain.xml machine.xml
for wrong in --pin=Begin --pin==core_0 --leave=-1 --leave=x --objective=speed --exact=1e3 --time-limit=0 -Dx; do
    run 2 "$dalmap" $wrong --times=times.json chain.xml machine.xml
done
run 2 "$dalmap" chain.xml machine.xml
expect "--times=FILE is needed" messages
run 2 "$dalmap" --times=times.json chain.xml machine.xml map.xml
expect "one file is needed, a network, or two: network, architecture" messages
run 0 "$dalmap" --help
expect "usage: dalmap" output
echo kept >map.xml
run 1 "$dalmap" -o map.xml --times=bad.json chain.xml machine.xml
check "an error leaves what was there" "$([ "$(cat map.xml)" = kept ]; echo $?)"

# ---- signals and time -----------------------------------------------------------------------------

# Neighbours that take turns: no load tells what a mapping is worth, so all 86472 would be predicted.
chain 8
sed -i 's/<sw_channel /&size="1" /' chain.xml
architecture core_0 core_1 core_2 core_3 core_4 >machine.xml
guarded() { # does dalmap hold signals back? SIGINT is bit 1. (A shell does for a moment, before it is dalmap.)
    local mask
    [ "$(cat "/proc/$running/comm" 2>/dev/null)" = dalmap ] || return 1
    mask=$(sed -n 's/^SigBlk:\t//p' "/proc/$running/status" 2>/dev/null)
    (((0x${mask:-0} & 2) != 0))
}
mkdir empty
for signal in INT TERM; do
    start env TMPDIR="$work/empty" "$dalmap" --exact=100000 --time-limit=3000 -o map.xml --times=times.json chain.xml machine.xml
    until_so guarded
    kill -$signal $running
    ended
    check "$signal: exit status 0" "$([ "$status" -eq 0 ]; echo $?)"
    expect "interrupted: the best mapping so far is written" messages
    expect "a signal ended the search." map.xml
    check "$signal: what was found is planned" "$(grep -q 'are left to dalsynth' map.xml; echo $?)"
    "$dalsynth" --check chain.xml machine.xml map.xml >out 2>log || fail "dalsynth refuses it" log
done
start env TMPDIR="$work/empty" "$dalmap" --objective=front --exact=100000 --time-limit=3000 -o stopped --times=times.json chain.xml machine.xml
until_so guarded
kill -INT $running
ended
check "a front: exit status 0" "$([ "$status" -eq 0 ]; echo $?)"
expect "interrupted: the best front so far is written" messages
expect "a signal ended the search." stopped/1.xml
"$dalsynth" --check chain.xml machine.xml stopped/1.xml >out 2>log || fail "dalsynth refuses it" log
check "nothing is left" "$([ -z "$(ls -A empty)" ] && [ -z "$(find . -name '*.making*')" ]; echo $?)"
run 0 "$dalmap" --objective=front --time-limit=0.001 -o late --times=times.json chain.xml machine.xml
expect "the time limit has ended the search: the best front so far is written" messages
expect "the time limit ended the search." late/1.xml
run 0 "$dalmap" --time-limit=0.001 -o map.xml --times=times.json chain.xml machine.xml
expect "the time limit has ended the search" messages
expect "the time limit ended the search." map.xml
# ---- dalsynth without a mapping -------------------------------------------------------------------

chain 2
architecture core_0 core_1 core_2 >machine.xml
"$dalmap" --times=times.json chain.xml machine.xml >map.xml
export CFLAGS=-O1
TMPDIR=$work/empty run 0 "$dalsynth" --times=times.json -o made_alone chain.xml machine.xml
expect "dalsynth: note: no mapping is given: " messages
expect "predicted: 1 ms an iteration, 1000 iterations/s; what limits it: core_" messages
check "dalmap's mapping is in the folder" "$(cmp map.xml made_alone/mapping.xml; echo $?)"
check "and a program" "$([ -x made_alone/chain ]; echo $?)"
check "nothing is left of the search" "$([ -z "$(ls -A empty)" ]; echo $?)"
run 0 "$dalsynth" --check --explain --times=times.json chain.xml machine.xml
check "explained" "$(grep -q '(mapping.xml:[0-9]*)$' output && [ "$(period map.xml)" = "$(period output)" ]; echo $?)"
run 2 "$dalsynth" chain.xml machine.xml
expect "one file is needed, a network, or three: network, architecture, mapping; or two and --times=FILE" messages
refuse "bad.json:1: error:" --times=bad.json chain.xml machine.xml
architecture device_0 >devices.xml
refuse "has no source that a processor" --times=times.json chain.xml devices.xml

# ---- the best are run -----------------------------------------------------------------------------

# Work_0 and Work_1 sleep for 5 ms. The times do not know that: they want both on one core.
cat >Begin.c <<'END'
#include "dal.h"
struct _local_states { int next; };
int Begin_fire(DALProcess *p)
{
    DAL_write(PORT_out, &p->local->next, sizeof(int), p);
    return ++p->local->next == VAR_tokens;
}
END
napping work 5000000 >work.c
cat >End.c <<'END'
#include "dal.h"
int End_fire(DALProcess *p) { int token; DAL_read(PORT_in, &token, sizeof(token), p); return token == VAR_tokens - 1; }
END
chain 2
sed -i 's/<variable name="unused" value="1"/<variable name="tokens" value="60"/; s/<sw_channel /&size="4" /' chain.xml
echo '{"Begin": 1000000, "End": 1000, "Work_0": 1000, "Work_1": 1000}' >times.json
architecture core_0 core_1 core_2 >machine.xml
wishes="--one-core --pin=Begin=core_0 --pin=End=core_0 --times=times.json"
# shellcheck disable=SC2086 # words
run 0 "$dalmap" $wishes -o map.xml chain.xml machine.xml
check "by prediction, both on one" "$([ "$(bound map.xml Work_0)" = "$(bound map.xml Work_1)" ]; echo $?)"
# shellcheck disable=SC2086
TMPDIR=$work/empty run 0 "$dalmap" $wishes --run=2 --run-time=300 -o map.xml chain.xml machine.xml
check "measured, each on its own" "$([ "$(bound map.xml Work_0)" != "$(bound map.xml Work_1)" ]; echo $?)"
# measured N: the milliseconds of the mapping with so many processors, of naps that last 5 ms at least.
measured() { sed -nE "s/^ *$1 processors, .*; measured: ([0-9.]+) ms an iteration, .*${2-}\$/\1/p" map.xml; }
check "the first was slower" "$(grep -qE '^ *2 processors, predicted: 1(\.[0-9]+)? ms' map.xml &&
    awk "BEGIN { exit !($(measured 2 | head -n 1) >= 10) }"; echo $?)"
check "the second is this" "$(awk "BEGIN { y = $(measured 3 ': this mapping -->'); exit !(y >= 5 && y < $(measured 2 | head -n 1)) }"; echo $?)"
check "nothing is left of them" "$([ -z "$(ls -A empty)" ]; echo $?)"
sed 's|location="End.c"|& libs="-lnot_there"|' chain.xml >unlinked.xml
# shellcheck disable=SC2086
refused "none of the best mappings could be run on this machine" --run=1 $wishes unlinked.xml machine.xml
expect "mapping 1 of the best is left out" messages
# What needs no search is run beside the best by prediction: all on one core, and all on all cores.
run 0 "$dalmap" --times=times.json --run=2 --run-time=0.6 -o map.xml chain.xml machine.xml
check "all on one core" "$(grep '; measured: ' map.xml | grep -q '^ *1 processor, .*; on core_0'; echo $?)"
check "all on all cores" "$(grep '; measured: ' map.xml | grep -q '^ *3 processors, .*; on all of 3 cores'; echo $?)"
run 0 "$dalmap" --times=times.json --one-core --run=2 --run-time=0.6 -o map.xml chain.xml machine.xml
check "unless there are no such places" "$(grep '; measured: ' map.xml | grep -q 'all of'; echo $((!$?)))"
# So are values of an open variable that prediction does not tell apart: on one core they are alike.
cat >Deal.c <<'END'
#include "dal.h"
struct _local_states { int next; };
int Begin_fire(DALProcess *p)
{
    int i;
    CREATEPORTVAR(port);
    for (i = 0; i < VAR_workers; i++) {
        CREATEPORT(port, "out", 1, i, VAR_workers);
        DAL_write(port, &p->local->next, sizeof(int), p);
    }
    return ++p->local->next == 2000;
}
END
cat >Gather.c <<'END'
#include "dal.h"
int End_fire(DALProcess *p)
{
    int i, token;
    CREATEPORTVAR(port);
    for (i = 0; i < VAR_workers; i++) {
        CREATEPORT(port, "in", 1, i, VAR_workers);
        DAL_read(port, &token, sizeof(token), p);
    }
    return 0;
}
END
napping work 1000 >work.c
sed 's/Begin\.c/Deal.c/; s/End\.c/Gather.c/' farm.xml >farmed.xml
architecture core_0 >one.xml
TMPDIR=$work/empty run 0 "$dalmap" --times=farm.json --run=1 --run-time=0.6 -o farm-map.xml farmed.xml one.xml
check "three values are run" "$(grep 'As measured: ' farm-map.xml | grep -o 'workers = [1-5]: [0-9.]* [mun]s' | sort -u | wc -l | grep -qx 3; echo $?)"
check "one of them is there" "$(grep -q "<variable name=\"workers\" value=\"[1-5]\"/>" farm-map.xml; echo $?)"
"$dalsynth" --check farmed.xml one.xml farm-map.xml >out 2>log || fail "dalsynth refuses it" log
check "nothing is left of the values" "$([ -z "$(ls -A empty)" ]; echo $?)"
napping work 5000000 >work.c
has_program() {
    compgen -G "empty/dalsynth-*/mapping_2/chain" >/dev/null
}
# shellcheck disable=SC2086
start env TMPDIR="$work/empty" "$dalmap" $wishes -D tokens=2000000000 --run=2 --run-time=3000 -o map.xml chain.xml machine.xml
until_so has_program
kill -INT $running
ended
check "interrupted runs: exit status 0" "$([ "$status" -eq 0 ]; echo $?)"
expect "A signal ended the runs." map.xml
"$dalsynth" --check chain.xml machine.xml map.xml >out 2>log || fail "dalsynth refuses it" log
check "nothing is left of that" "$([ -z "$(ls -A empty)" ]; echo $?)"

# ---- times that it finds itself, of cores and of a device that is here; parameters reach the programs
cat >begin.c <<'END'
#include "dal.h"
struct _local_states { long fired, tokens; };
void Begin_init(DALProcess *p)
{
    p->local->tokens = 0;
    DAL_getParameterInt("tokens", &p->local->tokens, p);
    if (p->local->tokens == 0)
        DAL_fail(p, "no parameter came");
}
int Begin_fire(DALProcess *p)
{
    int token = 1;
    DAL_write(PORT_out, &token, sizeof(token), p);
    return ++p->local->fired == p->local->tokens;
}
END
cat >pass.c <<'END'
#include "dal.h"
int Work_fire(DALProcess *p)
{
    int token;
    DAL_read(PORT_in, &token, sizeof(token), p);
    DAL_write(PORT_out, &token, sizeof(token), p);
    return 0;
}
END
echo '#include "dal.h"
int End_fire(DALProcess *p) { int token; DAL_read(PORT_in, &token, sizeof(token), p); return 0; }' >drop.c
cat >work.cl <<'END'
__kernel void Work(__global const int *in, __global int *out) { out[get_group_id(0)] = in[get_group_id(0)]; }
END
{
    echo '<processnetwork name="own">'
    echo '<process name="Begin"><port type="output" name="out"/><source type="c" location="begin.c"/>'
    echo '<parameter name="tokens" value="0"/></process>'
    echo '<process name="Work"><port type="input" name="in"/><port type="output" name="out"/>'
    echo '<source type="c" location="pass.c"/><source id="1" type="opencl" location="work.cl"/></process>'
    echo '<process name="End"><port type="input" name="in"/><source type="c" location="drop.c"/></process>'
    channel first Begin out Work in
    channel second Work out End in
    echo '</processnetwork>'
} >own.xml
"$dalinfo" --architecture -o here.xml 2>log || fail dalinfo log
devices=$(grep -c 'name="device_0" type' here.xml || true)
rm -f own.json
TMPDIR=$work/empty run 1 "$dalmap" --profile=1 --times=own.json -o own-map.xml own.xml here.xml
expect "no parameter came" messages
[ ! -e own.json ] && [ ! -e own-map.xml ] || fail "something is left of runs that failed"
TMPDIR=$work/empty run 0 "$dalmap" --profile=1 --times=own.json -p Begin.tokens=20000 -o own-map.xml own.xml here.xml
check "times of a core" "$(grep -q '"process": "Work", "source": "pass.c"' own.json; echo $?)"
check "times of a device" "$([ "$devices" -eq 0 ] || grep -q '"process": "Work", "source": "work.cl"' own.json; echo $?)"
check "nothing is left of these" "$([ -z "$(ls -A empty)" ]; echo $?)"
"$dalsynth" --check own.xml here.xml own-map.xml >out 2>log || fail "dalsynth refuses it" log
# A signal while a device is timed leaves the times of the cores, and a mapping by them.
if [ "$devices" -gt 0 ]; then
    start env TMPDIR="$work/empty" "$dalmap" --profile=2 --times=cut.json -p Begin.tokens=2000000000 -o cut.xml own.xml here.xml
    until_so grep -qF "times of all processes on device_0" messages
    kill -INT $running
    ended
    check "interrupted on a device: exit status 0" "$status"
    check "on the cores" "$(grep -q core_ cut.xml && ! grep -q '"source": "work.cl"' cut.json; echo $?)"
fi
run 2 "$dalmap" --times=own.json -p Begin.tokens=1 own.xml here.xml
expect "dalmap: -p PROCESS.NAME=VALUE wants --profile=SECONDS or --run=K" messages
run 2 "$dalmap" --profile=1 --times=own.json -p Begin=1 own.xml here.xml
expect "dalmap: -p wants PROCESS.NAME=VALUE, not 'Begin=1'" messages
run 2 "$dalsynth" -p Begin.tokens=1 own.xml here.xml own-map.xml
expect "dalsynth: -p PROCESS.NAME=VALUE wants --profile=SECONDS" messages
run 0 "$dalsynth" -o own --profile=1 --times=own.json -p Begin.tokens=20000 own.xml here.xml own-map.xml
# Another value of an open variable: cores run again, and devices where a kernel mentions it.
sed 's|<processnetwork name="own">|&<variable name="many" value="auto" most="3"/>|' own.xml >many-own.xml
runs_on() { # PLACE: how often all processes were timed there
    grep -c "times of all processes on $1" messages || true
}
TMPDIR=$work/empty run 0 "$dalmap" --profile=0.3 --times=own.json -p Begin.tokens=20000 -o many-map.xml many-own.xml here.xml
check "each value on cores" "$([ "$(runs_on cores)" -eq 3 ]; echo $?)"
check "a device once" "$([ "$(runs_on device_0)" -eq $devices ]; echo $?)"
sed -i 's|out\[|/* VAR_many */ out[|' work.cl
TMPDIR=$work/empty run 0 "$dalmap" --profile=0.3 --times=own.json -p Begin.tokens=20000 -o many-map.xml many-own.xml here.xml
check "a device that is asked about the value" "$([ "$(runs_on device_0)" -eq $((3 * devices)) ]; echo $?)"
echo "$passed checks"
