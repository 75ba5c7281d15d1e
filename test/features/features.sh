#!/usr/bin/env bash
# Which features of a process go together, feature by feature: input/table says it, and doc/reference/features.md to users. Each pair
# that works is a chain of processes of its own, in one network. It has the same bytes on one core, with the mapping that
# the pair is about, and with that over two nodes, in an application that a state machine pauses. Each pair that is refused
# is a network that is refused, with the code that the table names.
#
#   FEATURES_TRY="A B"  only tells what becomes of this pair
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
cp "$input"/work.py "$input"/words.cl "$input"/*.c .
table=$input/table

# ---- chains: what each feature adds to one ---------------------------------------------------------------------------

dynamic='kpn.c portable:work.c'
# Source S, then X, which has the features, or X and Y, which both have them, then the reader K, and B where there are two.
# X and Y may be within a network W. A launch that has a newest token has one firing, so there are fewer of them.
begin_chain() {
    code='work.c portable:work.c' attributes='' flags='' parameters='' target='' processors='' second=''
    to_x='' from_x='' counted_in='' counted_on='' counted_out='' initial='' state='' double='' two='' part='' only='' newest=''
}

uses() { # PROCESSOR...
    local name
    for name; do
        [[ " $processors " == *" $name "* ]] || processors+=" $name"
    done
}

group() { # as devices launch it
    double=yes
    [[ $target == *group* ]] || target+=' group="yes"'
}

add() { # FEATURE[/VARIANT]
    case $1 in
    kpn) code=$dynamic to_x=dynamic from_x=dynamic ;;
    kpn/reads) code=$dynamic to_x=dynamic ;;
    kpn/beside) two=dynamic ;; # of the second reader
    phases) to_x=2,1 from_x=1,2 ;;
    phases/writes) from_x=1,2 ;;
    phases/same) to_x=2,1 from_x=2,1 flags+=' -DPHASED' ;;
    byphase) to_x=2,1 from_x=1,2 attributes+=' firing="phase"' ;;
    byphase/writes) from_x=1,2 attributes+=' firing="phase"' ;;
    counted) counted_in=yes counted_on=yes counted_out=yes ;;
    counted/reads) counted_in=yes ;;
    counted/ends) double=yes counted_on=yes ;; # X writes packets, and the second one reads them
    inplace) state=inplace flags+=' -DSTATE' ;;
    inplace/counted) state=counted flags+=' -DSTATE' ;;
    periodic) attributes+=' period="1ms" repetitions="100" overrun="catchup" deadline="1000s"' ;;
    copies) attributes+=' stateless="true" shadowcopies="3"' ;;
    together) double=yes && uses core_1 ;;
    fused) group && uses device_0 ;;
    fused/cuda) group && uses cuda_0 ;;
    words) code='words.c words.cl' && group && uses device_0 ;;
    words/cuda) code='words.c words.cl' && group && uses cuda_0 ;;
    opencl) uses device_0 ;;
    cuda) uses cuda_0 ;;
    distributed) uses device_0 device_1 ;;
    distributed/cores) uses core_0 core_1 core_2 core_3 core_4 device_0 ;; # device_1 is made of the cores
    distributed/cuda) uses cuda_0 cuda_1 ;;
    policy) target+=" priority=\"$n\"" && uses device_0 ;;
    policy/cuda) target+=" priority=\"$n\"" && uses cuda_0 ;;
    policy/behind) double=yes second=device_0 ;; # X is on a core, and the second one on a device
    team) target+=' threads="2"' flags+=' -DTEAM' ;;
    python) code=work.py only=yes ;;
    live) parameters+='<parameter name="gain" value="3" live="true" type="int" min="1" max="9"/>' flags+=' -DGAIN' ;;
    fanout) two=${two:-2} ;;
    initial/loop) state=copied flags+=' -DSTATE' ;;
    initial) initial='initialtokens="4"' ;;
    newest) newest=yes flags+=' -DNEWEST' ;;
    part) part=yes ;;
    nodes | applications) ;; # of the program
    *) fail "there is no feature $1" ;;
    esac
}

# link NAME FROM TO RATE-IN RATE-OUT COUNTED ATTRIBUTES: rates may be left out
link() {
    local rates="${4:+tokenratein=\"$4\"} ${5:+tokenrateout=\"$5\"}"
    if [ -n "$6" ]; then
        rates='most="6"'
        [ "$4" != dynamic ] || rates+=' tokenratein="dynamic"'
        [ "$5" != dynamic ] || rates+=' tokenrateout="dynamic"'
    fi
    echo "<channel name=\"$1${n:+[$n]}\" from=\"$2\" to=\"$3\" tokensize=\"4\" $rates ${7:-}/>"
}

# The two channels that meet at a port of the network W: to it, and from it. What both may say, the one within says.
# enter TO RATE-IN RATE-OUT COUNTED ATTRIBUTES, leave NAME FROM TO RATE-IN RATE-OUT COUNTED PORT
enter() {
    if [ -z "$part" ]; then
        link in "S[$n].out" "$@"
        return
    fi
    link in "S[$n].out" "W[$n].in" "$([ -n "$4" ] || echo "$2")" '' ''
    n='' link in in "$1" '' "$3" "$4" "$5" >>"$inside"
}

leave() {
    local end=$5
    if [ -z "$part" ]; then
        link "${@:1:6}"
        return
    fi
    [ -z "$6" ] || [ "$end" = dynamic ] || end=''
    link "$1" "W[$n].$7" "$3" '' "$end" ''
    grep -q "to=\"$7\"" "$inside" || n='' link "$1" "$2" "$7" "$4" '' "$6" >>"$inside"
}

inputs() { printf '<port type="input" name="%s"/>' "$@"; }
outputs() { printf '<port type="output" name="%s"/>' "$@"; }

attributes_of_state() {
    [ $state = copied ] || echo 'inplace="true"'
    [ $state != counted ] || echo 'most="1"'
}

# The short form knows processes by what stands before their indices: those with state have another name.
work() { # NUMBER COUNTED-IN COUNTED-OUT
    local ports all="$flags${2:+ -DCOUNTED}${3:+ -DCOUNTS}"
    [ -z "$only" ] || all='' # they are for C
    ports=$(inputs in ${state:+before} ${newest:+latest} && outputs out ${state:+after} ${newest:+last})
    echo "<process name=\"${base}[$1]\" source=\"$code\"${all:+ cflags=\"$all\"}$attributes>" \
        "$ports$parameters<constant name=\"odd\" value=\"uint32_t: 3 5 7\"/></process>"
    [ -z "$state" ] || echo "<channel name=\"state[$1]\" from=\"${base}[$1].after\" to=\"${base}[$1].before\"" \
        "tokensize=\"4\" initialtokens=\"3\" $(attributes_of_state)/>"
    [ -z "$newest" ] || newest_ends "$1"
    [ -z "$parameters" ] || echo "100 ${letter}_$1.gain=5" >>changes
}

# What writes the newest tokens that a process reads, and what reads its own. Theirs are all the same, and of its own the last
# one counts: so time makes no difference but to what N has read, and that is what the record says.
newest_ends() { # NUMBER
    echo "<process name=\"L[$1]\" source=\"latest.c\" period=\"1ms\" deadline=\"1000s\">$(outputs latest)</process>"
    n=$1 reader N -DLAST
    echo "<channel name=\"latest[$1]\" from=\"L[$1].latest\" to=\"${base}[$1].latest\" tokensize=\"4\" newest=\"true\"" \
        "repeat=\"true\"/>" \
        "<channel name=\"last[$1]\" from=\"${base}[$1].last\" to=\"N[$1].in\" tokensize=\"4\" newest=\"true\"/>"
}

reader() { # LETTER FLAGS
    echo "<process name=\"$1[$n]\" source=\"sink.c\"${2:+ cflags=\"$2\"}>$(inputs in)" \
        "<parameter name=\"name\" value=\"$name: $1\"/></process>"
}

# finish_chain: of what was added, its elements go to the file `elements`, its bindings to `bindings`. Those are of node
# $node, if any. Processes of one name have one unit, so X, and perhaps a second one, are X[$n] and X[$n + 1].
finish_chain() {
    local last=$n
    base=${state:+Z}
    base=${base:-X}
    letter=${part:+W_$n.}$base
    inside=${part:+part-$n.xml}
    inside=${inside:-elements}
    [[ $attributes != *shadowcopies* || $processors =~ device|cuda ]] || uses core_1 core_0
    [ -n "$processors" ] || uses core_1
    [ -z "$part" ] || { echo '<processnetwork name="part">' && inputs in && outputs out ${state:+${two:+after}}; } >"$inside"
    {
        echo "<process name=\"S[$n]\" source=\"source.c\" cflags=\"${counted_in:+-DCOUNTED} ${newest:+-DFIRINGS=240}\">" \
            "$(outputs out)</process>"
        reader K "${counted_out:+-DCOUNTED}"
        [ -z "$part" ] || echo "<network name=\"W[$n]\" source=\"$inside\"/>"
    } >>elements
    if [ -n "$double" ]; then
        last=$((n + 1))
        work "$n" "$counted_in" "$counted_on" >>"$inside"
        [ -z "$second" ] || attributes=''
        work $last "$counted_on" "$counted_out" >>"$inside"
        enter "${base}[$n].in" 3 "${to_x:-3}" "$counted_in" '' >>elements
        link on "${base}[$n].out" "${base}[$last].in" "${from_x:-3}" "${to_x:-3}" "$counted_on" "$initial" >>"$inside"
    else
        work "$n" "$counted_in" "$counted_out" >>"$inside"
        enter "${base}[$n].in" 3 "${to_x:-3}" "$counted_in" "$initial" >>elements
    fi
    leave out "${base}[$last].out" "K[$n].in" "${from_x:-3}" 3 "$counted_out" out >>elements
    [ -z "$two" ] || second_reader >>elements
    [ -z "$part" ] || echo '</processnetwork>' >>"$inside"
    bind "$n" >>bindings
    [ -z "$double" ] || processors=${second:-$processors} bind "$last" >>bindings
    echo "$n $letter $name" >>chains
}

second_reader() { # of the state, where there is one
    if [ "$two" = dynamic ]; then
        reader B -DDYNAMIC
    else
        reader B "${counted_out:+-DCOUNTED}"
    fi
    if [ -n "$state" ]; then
        leave too "${base}[$n].after" "B[$n].in" 1 "$two" '' after
    else
        leave too "${base}[$n].out" "B[$n].in" "${from_x:-3}" "$two" "$counted_out" out
    fi
}

bind() { # NUMBER
    local processor source=0 end
    [[ ! $processors =~ device|cuda || -n $only ]] || source=1
    echo "<binding name=\"b_$1\"><process name=\"${letter}_$1\" sourceid=\"$source\"/>"
    for processor in $processors; do
        echo "<processor name=\"${node:-}$processor\"/>"
    done
    echo "${target:+<target$target/>}</binding>"
    for end in ${newest:+L N}; do
        echo "<binding name=\"$end$1\"><process name=\"${part:+W_$n.}${end}_$1\"/><processor name=\"${node:-}core_0\"/></binding>"
    done
}

n=0
# chain FEATURE...
chain() {
    local feature
    name=$*
    n=$((n + 2))
    begin_chain
    for feature; do
        add "$feature"
    done
    finish_chain
}

# files NAME: network and mapping of what is in `elements` and `bindings`, which begin anew
files() {
    { echo "<processnetwork name=\"$1\">" && cat elements && echo "</processnetwork>"; } >"$1.xml"
    { echo '<mapping name="m">' && cat bindings && echo '</mapping>'; } >"map-$1.xml"
    : >elements
    : >bindings
}

rest() { # what is not bound by itself
    echo "<binding name=\"rest\"><process name=\"*\" sourceid=\"0\"/><processor name=\"${1:-}core_0\"/></binding>"
}
: >elements
: >bindings


# ---- the table -------------------------------------------------------------------------------------------------------

mapfile -t names < <(sed -n 's/^\([a-z]*\): .*/\1/p' "$table")
rows() { # a line each: FEATURE FEATURE VERDICT [WHAT], with ways, and without the reason
    sed '/^[a-z/]* [a-z/]* /!d; s/;.*//' "$table"
}

# Every pair is there, in the order of the names, and nothing else.
for ((i = 0; i < ${#names[@]}; i++)); do
    for ((k = i + 1; k < ${#names[@]}; k++)); do
        echo "${names[i]} ${names[k]}"
    done
done | sort >pairs
rows | sed 's|/[a-z]*||g' | cut -d ' ' -f 1,2 | sort -u | diff pairs - >log || fail "the table lacks pairs (<), or has others (>)" log

# ---- the page --------------------------------------------------------------------------------------------------------

# cell A B: what the table says of a pair, in its order or not
cell() {
    local lines
    lines=$(rows | sed 's|/[a-z]*||g' | grep -e "^$1 $2 " -e "^$2 $1 ")
    case $lines in
    *works*refused* | *refused*works* | *works*apart* | *apart*works* | *refused*apart*) echo partly ;;
    *works*) echo + ;;
    *apart*) echo o ;;
    *) echo - ;;
    esac
}

# reasons VERDICT PATTERN: the lines of a verdict that say why, for readers. Each of those in front is with each of those behind
# for one reason, in one line.
reasons() {
    sed -n "/^[a-z/]* [a-z/]* $1.*;/{s|/[a-z]*||g; p}" "$table" | while read -r one other _ rest; do
        echo "$one|$other|$(sed "$2" <<<"$rest")"
    done | awk -F'|' '{ rest = substr($0, length($1 $2) + 3); with[NR] = $2; at = NR }
        ($1, rest) in first { at = first[$1, rest]; with[at] = with[at] ", " $2 }
        at == NR { first[$1, rest] = NR; one[NR] = $1; why[NR] = rest }
        END {
            for (i = 1; i <= NR; i++)
                if (!(i in one))
                    continue
                else if ((with[i], why[i]) in same)
                    one[same[with[i], why[i]]] = one[same[with[i], why[i]]] ", " one[i]
                else
                    same[with[i], why[i]] = i
            for (i = 1; i <= NR; i++)
                if (i in one && same[with[i], why[i]] == i)
                    printf "| %s | %s | %s |\n", one[i], with[i], why[i]
        }'
}

page() {
    local one other
    cat <<'END'
# Features by features

This page is made by `test/features/features.sh` of a table, every line of which that test tries. A pair is what one process, with
the channels at its ends, has together. In one network, on other processes, all features stand beside each other.

| feature | what it is |
| --- | --- |
END
    sed -n 's/^\([a-z]*\): \(.*\)/| \1 | \2 |/p' "$table"
    cat <<'END'

`+`: both work, and the bytes are those on one core. `o`: nothing is refused, but one of the two is not in force. `-`: dalsynth refuses
it. `partly`: it depends on the way, see below.

END
    echo "| | $(printf '%s | ' "${names[@]:1}" | sed 's/ $//')"
    echo "|$(printf ' --- |%.0s' "${names[@]}")"
    for ((i = 0; i + 1 < ${#names[@]}; i++)); do
        one=${names[i]}
        printf '| **%s** |' "$one"
        for ((k = 1; k < ${#names[@]}; k++)); do
            other=''
            [ $k -le $i ] || other=" $(cell "$one" "${names[k]}")"
            printf '%s |' "$other"
        done
        echo
    done
    printf '\n## What is refused\n\n| | with | code | why |\n| --- | --- | --- | --- |\n'
    reasons refused 's/\([a-z-]*\); /`\1` | /'
    printf '\n## Where one of them is not in force\n\n| | with | what is not | why |\n| --- | --- | --- | --- |\n'
    reasons apart 's/; / | /'
    printf '\n## What to know of those that work\n\n| | with | |\n| --- | --- | --- |\n'
    reasons works 's/^; *//'
    cat <<'END'

## Of whole networks

| | with | |
| --- | --- | --- |
| constants | all | each process of this test has one |
| taps (`--tap`) | all but newest | one run of this test has them at all other ports. Each of several nodes records what its own processes give (`test/taps/taps.sh`). Of several applications there are none |
| words in memory (`DAL_REGISTERS=0`) | words | one run of this test has no words in registers |
| watched windows (`--guard`) | all but fused, words | one run of this test has them, for each feature: each kernel has launches of its own then. A library has none (`--library` is refused beside it) |
| channels of the newest token | taps (`--tap`), recordings in place of a process (`--replay`, `--only`), open ports | at the same port they are refused: `newest`. `--tap='*'` means all ports, so it is refused, too |
| channels of the newest token | nodes | both ends are on one node; if not, it is refused: `newest` |
| channels of the newest token | libraries (`--library`) | they work within; `DAL_RECORD` and `DAL_REPLAY` are of programs |
| periodic, a latency | libraries (`--library`) | the clock counts from `dal_run_open()` on, and what was missed goes to the log of the run (`test/run`) |
| real-time mode (`DAL_REALTIME`, `realtime` of a mapping) | all | one run of this test is in it, and that on two nodes, where the system allows it. It does not change how processes fire, but who comes first on a core. Each application has that of its mapping, and all have that of the variable. A library has none |
| a latency, of a percentile, too | all but kpn | with such a process on the way it is refused: `kpn-process`. On several nodes it is counted where both ends are on one of them |
| parameters with a type | all | those that are live have one here |
| kpn | a predicted period (`--explain` with times, `--advice`) | none is told: how often such a process fires depends on its data, and what is left without it would seem faster than the network is. `--analyze` has capacities and periods of the part with fixed rates, and names what it leaves out |
END
}
page >features.md
if [ -n "${REGENERATE:-}" ]; then
    cp features.md "$source/doc/reference/features.md"
fi
diff "$source/doc/reference/features.md" features.md >log || fail "doc/reference/features.md is not of the table; REGENERATE=1 makes it anew" log

# Where there is no Python, or none with sanitizers, what it goes with is not tried.
if [ -n "${DAL_SANITIZER:-}" ] || ! pkg-config --exists python3-embed || ! find_numpy; then
    grep -vw python "$table" >without
    table=without
    mapfile -t names < <(sed -n 's/^\([a-z]*\): .*/\1/p' "$table")
fi

# ---- the machine -----------------------------------------------------------------------------------------------------

POCL_DEVICES=$(two_devices)
[ -n "$POCL_DEVICES" ] || skip "no two OpenCL devices"
export POCL_DEVICES
use_standin || skip "the stand-in for CUDA cannot be used"
export CFLAGS=-O1
"$dalinfo" --architecture -o here.xml
{
    architecture core_0 core_1 core_2 core_3 core_4 | grep -v '^</'
    sed -n '/name="\(device\|cuda\)_[01]" type/,/<\/processor>/p' here.xml | grep -v '<port ' | sed 's/ id="[0-9]*"//'
    echo '</architecture>'
} >machine.xml
for name in device_0 device_1 cuda_0 cuda_1; do
    grep -q "name=\"$name\" type" machine.xml || skip "there is no $name"
done

if [ -n "${FEATURES_TRY:-}" ]; then
    # shellcheck disable=SC2086 # words
    chain $FEATURES_TRY
    rest >>bindings
    files try
    "$dalsynth" --check --explain try.xml machine.xml map-try.xml
    exit
fi

# ---- what is refused -------------------------------------------------------------------------------------------------

while read -r one other _ wanted; do
    is_next || continue
    chain "$one" "$other"
    rest >>bindings
    files try
    run 1 "$dalsynth" --check try.xml machine.xml map-try.xml
    grep -qF "error: [$wanted]" messages || fail "$one with $other is not refused by $wanted" messages
    refused=$((${refused:-0} + 1))
done < <(rows | grep ' refused ')

# ---- what works ------------------------------------------------------------------------------------------------------

: >alone
: >changes
: >chains
for name in "${names[@]}"; do
    [[ $name =~ nodes|applications ]] || echo "$name" >>alone
done
rows | grep -v -e ' refused ' -e nodes -e applications | while read -r name; do
    ! is_next || echo "$name"
done >together

# All chains, each feature alone and each pair that works (of the part that is tried), into the file `network.xml` with map-network.xml
while read -r one; do
    chain "$one"
done <alone
while read -r one other _; do
    chain "$one" "$other"
done <together
rest >>bindings
files network
mapping "* 0 core_0" >map-plain.xml

# ---- what is in force ------------------------------------------------------------------------------------------------

# process_is NAME PATTERN: its line in the statistics
process_is() {
    grep -m 1 "\"process\": \"$1\",.* \"type\"" stats.json | grep -q -e "$2"
}

# in_force FEATURE NUMBER LETTER: what `made`, `stats.json` and `messages` say of the run
in_force() {
    local first=$3_$2 both="\"$3_$2\", \"$3_$(($2 + 1))\""
    case $1 in
    kpn) process_is "$first" '"type": "kpn"' ;;
    kpn/beside) process_is "B_$2" '"type": "kpn"' ;;
    periodic) grep -q "\"process\": \"$first\",.* \"releases\": [1-9]" stats.json ;;
    copies) process_is "$first" '"copies": [2-9]' ;;
    together) grep -q "\"processes\": \[$both\], \"copies\"" stats.json ;;
    fused*) grep -q "\"processes\": \[$both\], \"rounds\"" stats.json ;;
    words*) grep -q "\(^\|[.]\)on_$2 passes words in registers$" made ;;
    opencl) process_is "$first" '"on": \["[a-z/]*device_' ;;
    cuda) process_is "$first" '"on": \["[a-z/]*cuda_' ;;
    distributed*) process_is "$first" '"on": \["[a-z/]*\(device\|cuda\)_0", "[a-z/]*\(device\|cuda\)_1"\]' ;;
    policy | policy/cuda) grep -q "^priorities on devices:.* $first $2[,;]" made ;;
    policy/behind) grep -q "^priorities on devices:.* $3_$(($2 + 1)) -1000000000[,;]" made-deadline ;;
    python) process_is "$first" '"source": "work.py"' ;;
    newest) grep -q "\"channel\": \"[^\"]*latest_$2\",.* \"kind\": \"newest\",.* \"repeated\": [1-9]" stats.json ;;
    team) grep -q "^$first has a team of 2 threads" made ;;
    part) [[ $first == W_* ]] && process_is "$first" '' ;;
    live) grep -q "process $first: gain=5 from firing 100" messages ;;
    *) ;; # of the network, and so wherever it runs
    esac
}

# all_in_force [FEATURE]: the features of each chain, but for what the table says; of it with this one, for single ones
all_in_force() {
    local n letter features feature but wrong=''''
    while read -r n letter features; do
        but=$(rows | sed -n "s|^$features ${1:+$1 }apart ||p")
        for feature in $features; do
            if in_force "$feature" "$n" "$letter"; then
                [ "${feature%/*}" != "$but" ] || wrong+="$features: $feature is in force, which the table denies"$'\n'
            else
                [ "${feature%/*}" = "$but" ] || wrong+="$features: $feature is not in force"$'\n'
            fi
        done
    done <chains
    [ -z "$wrong" ] || fail "what is in force"$'\n'"$wrong" messages
}

# make_it NAME OPTION...
make_it() {
    sed "s/processnetwork name=\"network\"/processnetwork name=\"$1\"/" network.xml >"$1.xml"
    synthesise --explain "${@:2}" -o "$1" "$1.xml" machine.xml "map-$1.xml"
}

# add_record NAME: which newest tokens a run has read becomes what all runs with `changes` read
add_record() {
    DAL_RECORD=record run 0 "$1/$1" --strict
    cat record >>changes
}

# run_it NAME: with `changes`; what readers print goes to NAME.out
run_it() {
    DAL_TAP=recordings DAL_REPLAY=changes DAL_STATS=./stats.json run 0 "$1/$1" --strict
    ! grep -v -e 'gain=5 from' -e 'this machine lacks cores of it' -e 'made without --tap' messages || fail "$1 says something" messages
    sort output >"$1.out"
}

make_it plain
add_record plain
run_it plain
for policy in fcfs level deadline priority; do
    sed "s|</mapping>|<queue policy=\"$policy\"/>&|" map-network.xml >map-mapped.xml
    taps=() registers=1
    [ $policy != level ] || taps=(--tap='*.out' --tap='*.after')
    [ $policy != fcfs ] || registers=0
    DAL_REGISTERS=$registers make_it mapped "${taps[@]}"
    run_it mapped
    diff plain.out mapped.out >log || fail "other bytes with the mapping, and $policy, than on one core" log
    cp made made-$policy
done
! grep 'passes words in registers' made-fcfs >log || fail "DAL_REGISTERS=0 leaves words in registers" log
DAL_REALTIME=1 DAL_REPLAY=changes run 0 mapped/mapped --strict
sort output | diff plain.out - >log || fail "other bytes in real-time mode" log
awk '!/: N/ && $(NF - 1) < 300 { exit 1 }' plain.out || fail "a reader got next to nothing" plain.out
for name in $(sed -n 's/^\([0-9]*\) \([A-Z_0-9]*[A-Z]\) .*/\2_\1.out/p' chains); do
    [ -s "recordings/$name.json" ] || fail "there is no recording of $name"
done
all_in_force
echo "$(wc -l <together) pairs on one core and on all processors, $refused refused"

# ---- with windows that are watched: each feature alone ---------------------------------------------------------------

timeless() { # without what other newest tokens change
    grep -v '^read by '
}

of_alone() { # of what plain.out has
    grep "^\($(sed "${1:-}s/$/: /" alone | paste -sd '|' | sed 's/|/\\|/g')\)" plain.out
}

: >chains
: >changes
while read -r one; do
    chain "$one"
done <alone
rest >>bindings
files network
mv map-network.xml map-watched.xml
make_it watched --guard
add_record watched
run_it watched
of_alone | diff - <(timeless <watched.out) >log || fail "other bytes with --guard than on one core" log

# ---- on two nodes, with a state machine that pauses it all ------------------------------------------------------------

find_mpi || exit 0
without_leaks
{
    echo '<architecture name="cluster"><shared name="near"/><shared name="far"/>'
    sed '1d; $d; s|<processor name="|&near/|' machine.xml
    sed '1d; $d; s|<processor name="|&far/|' machine.xml
    echo '</architecture>'
} >cluster.xml

# told NAME FLAGS: a source and its reader
told() {
    echo "<process name=\"Source\" source=\"source.c\" cflags=\"$2\"/><process name=\"Reader\" source=\"sink.c\">" \
        "<parameter name=\"name\" value=\"$1\"/></process>"
    n='' link all Source.out Reader.in 3 3 ''
}
: >chains
told teller -DTELLS >>elements
while read -r one; do
    node=far/ chain "$one"
done <alone
rest near/ >>bindings
echo '<queue policy="priority" realtime="1"/>' >>bindings
files alone
told other -DOTHER >>elements
rest near/ >>bindings
files other
cat >spread.xml <<'END'
<fsm name="spread">
  <application name="A" network="alone.xml" mapping="map-alone.xml"/>
  <application name="B" network="other.xml" mapping="map-other.xml"/>
  <state name="run" initial="true"><running application="A"/></state>
  <state name="rest"><running application="B"/><paused application="A"/></state>
  <endstate name="off"/>
  <transition from="run" to="rest" event="rest"/>
  <transition from="rest" to="run" event="B.finished"/>
  <transition from="run" to="off" event="A.finished"/>
</fsm>
END
synthesise --fsm --explain -o spread spread.xml cluster.xml
DAL_STATS=./stats.json run 0 ranks 2 spread/spread --strict
grep -q '^other 1800' output || fail "it was never paused" output
grep -v -e '^other' -e '^teller' -e '^live' output | timeless | sort >spread.out # there, nobody changes what is live
of_alone '/live/d; ' | diff - spread.out >log ||
    fail "other bytes on two nodes, with pauses, than on one core" log
mv stats-A-1.json stats.json
all_in_force nodes
all_in_force applications
DAL_REPLAY=changes run 1 ranks 2 spread/spread
expect "are for programs of one network on one node" messages
echo "$(wc -l <alone) features on two nodes, in an application that is paused"
