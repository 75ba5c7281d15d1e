#!/usr/bin/env bash
# Whatever dalsynth writes, dalsynth takes, and it means the same: long and short forms, graphs of SDF3, mappings of --sizes,
# of --advice and of dalmap. Of every application with its mappings, and of networks drawn by chance.
#
#   AGAIN_MAPPINGS=M   how many mappings of each application (1)
#   AGAIN_NETWORKS=N   how many networks (1)
#   AGAIN_SEED=S       the first one's seed (1); a failure has it in the name of the network
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

"$dalinfo" --architecture -o machine.xml
cores=$(grep -c '<capability name="POSIX"' machine.xml)
written=0 refused=0

# take WHAT COMMAND...: what has been written is read again; `output` has what is said of it.
take() {
    local what=$1
    shift
    "$@" >output 2>messages || fail "$network: $what is not taken: $*" messages
    written=$((written + 1))
}

# same WHAT FILE: `output` is as that of the first.
same() {
    diff -u "$2" output >difference || fail "$network: $1 means something else" difference
}

# names FILE: ports with their processes, and parameters
names() {
    local what
    for what in ports parameters; do
        "$dalsynth" --list=$what "$1" | sed "s/^/$what /" || return 1
    done
}

# firings FILE: the repetition vector; nothing of times, for which searches differ. A network that is dead is one.
firings() {
    "$dalsynth" --analyze=json --time-limit=0.05 "$1" 2>/dev/null |
        tr -d ' \n' | grep -o '"name":"[^"]*","firings":[0-9]*' || true
}

# The forms of a network are beside it, where its sources are.
forms() {
    local form
    names "$network" >listed
    for form in --expand --shorten; do
        run 0 "$dalsynth" $form "$network"
        cp output "${network%.xml}.again.xml"
        take "$form" names "${network%.xml}.again.xml"
        same "$form" listed
    done
}

# An actor's type is a word of SDF3's, and of no network.
untyped() {
    sed '/<actor /s/ type="[^"]*"//'
}

graph() {
    local status=0
    "$dalsynth" --export-sdf3 "$network" >graph.xml 2>messages || status=$?
    if [ $status -ne 0 ]; then
        grep -q 'error: \[sdf3\]' messages || fail "$network: --export-sdf3" messages
        refused=$((refused + 1))
        return
    fi
    firings "$network" | sort >counts
    firings graph.xml | sort >output
    same --export-sdf3 counts
    untyped <graph.xml >untyped.xml
    take --export-sdf3 "$dalsynth" --export-sdf3 graph.xml
    cp output again.xml
    untyped <again.xml >output
    same --export-sdf3 untyped.xml
    take --import-sdf3 "$dalsynth" --import-sdf3 graph.xml
    cp output imported.xml
    take "the network of --import-sdf3" "$dalsynth" --export-sdf3 imported.xml
    cp output again.xml
    untyped <again.xml >output
    same "the network of --import-sdf3" untyped.xml
}

# A mapping may be refused before anything is written, as one with a device that is not here.
mappings() { # MAPPING
    local point
    "$dalsynth" --check --explain "$network" machine.xml "$1" >explained 2>&1 || return 0
    take "the long form" "$dalsynth" --check --explain "${network%.xml}.again.xml" machine.xml "$1"
    for point in minimum fastest; do
        rm -f "$1.again"
        "$dalsynth" --analyze --time-limit=0.1 --sizes=$point -o "$1.again" "$network" machine.xml "$1" >output 2>messages || continue
        take "the mapping of --sizes=$point" "$dalsynth" --check "$network" machine.xml "$1.again"
    done
    {
        printf '{'
        "$dalsynth" --list=processes "$network" | sed 's/.*/"&": 1000/' | paste -s -d ','
        printf '}'
    } >times.json
    rm -f "$1.again"
    # There is no prediction, and so no advice, where something has no time that a file could give it.
    "$dalsynth" --check --explain --times=times.json --time-limit=0.1 --advice="$1.again" "$network" machine.xml "$1" >output 2>messages ||
        expect "there is none without the times of all processes" messages
    [ ! -e "$1.again" ] || take "the mapping of --advice" "$dalsynth" --check --explain "$network" machine.xml "$1.again"
}

# ---- applications --------------------------------------------------------------------------------

cp -r "$source/apps" apps
for network in apps/*/*.xml; do
    grep -q '<processnetwork' "$network" || continue
    case $network in *.again.xml) continue ;; esac
    is_next || continue
    ! lacks_packages "$network" || continue
    forms
    graph
    left=${AGAIN_MAPPINGS:-1}
    for map in "$(dirname "$network")"/map-*.xml; do
        if [ "$left" -gt 0 ] && [ -e "$map" ] && grep -q "processnetwork=\"$(basename "$network" .xml)\"" "$map"; then
            mappings "$map"
            left=$((left - 1))
        fi
    done
done

# ---- networks drawn by chance --------------------------------------------------------------------

for seed in $(seq "${AGAIN_SEED:-1}" $((${AGAIN_SEED:-1} + ${AGAIN_NETWORKS:-1} - 1))); do
    rm -rf "seed-$seed"
    mkdir "seed-$seed"
    cp "$source"/test/determinism/input/*.[ch] "seed-$seed"
    "$build/test/determinism/random_network" "$seed" "seed-$seed" "$cores" 0
    for number in 0 1; do
        network=seed-$seed/network-$number.xml
        forms
        graph
        mappings "seed-$seed/map-$number.xml"
    done
done
echo "$written texts were taken again; $refused networks have no graph"
[ $written -gt $((60 / test_parts)) ] || fail "too little was written"
