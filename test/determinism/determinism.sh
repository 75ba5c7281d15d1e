#!/usr/bin/env bash
# The promise of the model on networks drawn by chance (random_network.c): the same stream in
# every channel on any mapping, on cores and teams of their threads, on devices of several kinds, and on several nodes.
# Half of the mappings are of a network within which some processes stand in networks, or of what --expand makes of that one;
# the reference is flat. Half of those on one node have open ports (ports.sh), where the reference is closed.
# In most networks a chain of kernels goes over words, or only looks so (random_words.h). Where words are passed in
# registers, half of the mappings are tried with all in memory, too.
#
#   DETERMINISM_NETWORKS=N   how many networks (9)
#   DETERMINISM_MAPPINGS=M   mappings for each, beside everything on one core (5); every third has teams of two threads
#   DETERMINISM_SPREADS=R    of these, how many more over 2, 3, 2, .. nodes as ranks of MPI (1)
#   DETERMINISM_CUDA=C       and how many more on devices of CUDA: by themselves, with those of OpenCL, by themselves, .. (2)
#   DETERMINISM_LENGTHS=L    how many more runs of each mapping, where processes end elsewhere: in the middle of an
#                            iteration or of an activation, near where a ring starts over, some of them before others (2)
#   DETERMINISM_STANDIN=N    how many networks go to CUDA where a stand-in is its driver, with a compiler that is slow (2)
#   DETERMINISM_SEED=S       the first network's seed (1); a failure prints its own
#   DETERMINISM_KEEP=DIR     where the folder of a failed network goes
#   DETERMINISM_JOBS=J       how many networks are tried side by side (1)
#   DETERMINISM_CFLAGS=...   options of the compiler, else CFLAGS (-O1)
#   DETERMINISM_LIMIT=T      seconds that dalsynth, and a run, may take (300)
#
# CUDA is what DAL_CUDA_DRIVER and DAL_CUDA_COMPILER name, else the stand-in (test/cuda/standin) if it is built.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/determinism/ports.sh"

networks=${DETERMINISM_NETWORKS:-9}
mappings=${DETERMINISM_MAPPINGS:-5}
spreads=${DETERMINISM_SPREADS:-1}
cuda=${DETERMINISM_CUDA:-2}
first=${DETERMINISM_SEED:-1}
jobs=${DETERMINISM_JOBS:-1}
lengths=${DETERMINISM_LENGTHS:-2}
limit=${DETERMINISM_LIMIT:-300}
nodes_there=3

export CFLAGS=${DETERMINISM_CFLAGS:-${CFLAGS:--O1}}
if [ "$networks" -gt 10 ]; then # kernels of which nobody will ask again
    export POCL_CACHE_DIR=$work/cache
    mkdir -p "$POCL_CACHE_DIR"
fi
export OMP_WAIT_POLICY=passive # teams of many networks share the cores

runs=0 failures=0 compared=0
most_bytes=2000000 # of a run's streams, about
on_cuda=0 with_team=0 with_parts=0 with_ports=0 with_registers=0 # runs
chained=0 in_registers=0 in_memory=0 # mappings with a chain of words in a group; channels in groups

# ---- machines: a name, its number of devices, and what it needs in the environment -----------------

machine_names=() machine_devices=() machine_settings=()
cuda_machine='' # its number, and how many devices of CUDA it has
cuda_devices=0
cuda_networks=$networks
divides=yes # are division and roots correctly rounded on all devices?

# machine NAME SETTING...: looks what devices there are
machine() {
    local name=$1 file devices
    shift
    file=$work/$name.machine.xml
    env "$@" "$dalinfo" --architecture -o "$file" 2>/dev/null || return 0
    devices=$(grep -c 'name="device_[0-9]*" type' "$file" || true)
    if [ "$name" = cuda ]; then
        cuda_devices=$(grep -c 'name="cuda_[0-9]*" type' "$file" || true)
        [ "$cuda_devices" -gt 0 ] || return 0
        cuda_machine=${#machine_names[@]}
    elif [ "$devices" -eq 0 ]; then
        return 0
    fi
    # a simulator divides as this processor does, but does not say so
    if [ "$name" != simulator ] && env "$@" "$dalinfo" | grep -q 'float not correctly rounded'; then
        echo "$name: division and roots are left out, since a device does not round them correctly"
        divides=no
    fi
    write_cluster "$file" >"$work/$name.cluster.xml"
    machine_names+=("$name")
    machine_devices+=("$devices")
    machine_settings+=("$(printf '%s\n' "$@")")
}

# write_cluster FILE: as many machines of that kind as there are nodes
write_cluster() {
    local node
    echo '<architecture name="cluster">'
    for ((node = 0; node < nodes_there; node++)); do
        echo "<shared name=\"n$node\"/>"
    done
    for ((node = 0; node < nodes_there; node++)); do
        sed -n '/<processor /,/<\/processor>/p' "$1" |
            sed "/<port /d; s| id=\"[0-9]*\"||; s|<processor name=\"|&n$node/|"
    done
    echo '</architecture>'
}

# nodes_for K: how many nodes mapping K may use, nothing where nodes have no names
nodes_for() {
    [ "$1" -le "$mappings" ] || [ "$1" -gt $((mappings + spreads)) ] || echo $((2 + ($1 - mappings - 1) % 2))
}

# threads_for K: how many threads a team of mapping K has, nothing without teams
threads_for() {
    [ "$teams" = no ] || [ $(($1 % 3)) -ne 2 ] || [ -n "$(nodes_for "$1")" ] || echo 2
}

# machine_for K: the number of the machine for mapping K
machine_for() {
    if [ "$1" -gt $((mappings + spreads)) ]; then
        echo "$cuda_machine"
    else
        echo $((($1 + usual_machines - 1) % usual_machines))
    fi
}

# devices_for K: what random_network wants to know of mapping K
devices_for() {
    local devices nodes threads
    devices=${machine_devices[$(machine_for "$1")]}
    nodes=$(nodes_for "$1")
    threads=$(threads_for "$1")
    [ "$1" -le $((mappings + spreads)) ] || devices=$((($1 - mappings - spreads) % 2 ? 0 : devices))+$cuda_devices
    echo "$devices@${nodes:-0}:${threads:-0}"
}

# turn BY <ARCHITECTURE: a script of sed that makes another core the first, so that networks side by side do not share it
turn() {
    local there script='' i
    mapfile -t there < <(sed -n 's/.*"POSIX" identifier="\([0-9]*\)".*/\1/p' | awk '!seen[$0]++')
    for ((i = 0; i < ${#there[@]}; i++)); do
        script+="s/\"POSIX\" identifier=\"${there[i]}\"/\"POSIX\" identifier=\"=${there[(i + $1) % ${#there[@]}]}\"/;"
    done
    echo "$script s/identifier=\"=/identifier=\"/"
}

# on MACHINE COMMAND...
on() {
    local settings=()
    [ -z "${machine_settings[$1]}" ] || mapfile -t settings <<<"${machine_settings[$1]}"
    shift
    env "${settings[@]}" "$@"
}

# ---- one network -------------------------------------------------------------------------------------

complain() { # SEED MAPPING TEXT
    failures=$((failures + 1))
    echo "FAIL: seed $1, mapping $2: $3; again: DETERMINISM_SEED=$1 DETERMINISM_NETWORKS=1" \
        "DETERMINISM_MAPPINGS=$mappings DETERMINISM_SPREADS=$spreads DETERMINISM_CUDA=$cuda DETERMINISM_LENGTHS=$lengths" \
        "DETERMINISM_KEEP=/tmp/network-$1 test/determinism/determinism.sh"
    if [ -n "${DETERMINISM_KEEP:-}" ]; then
        mkdir -p "$DETERMINISM_KEEP"
        cp -r "$folder" "$DETERMINISM_KEEP"
    fi
}

# make_program MAPPING MACHINE: into program-MAPPING, every second one for this processor alone, which
# may have what others have not
make_program() {
    local flags=$CFLAGS kind=machine
    [ -z "$(nodes_for "$1")" ] || kind=cluster
    [ $(($1 % 2)) -eq 0 ] || flags+=" -march=native"
    if [ $(($1 % 3)) -eq 1 ] && grep -q '<network ' "network-$1.xml"; then
        "$build/synth/dalsynth" --expand "network-$1.xml" >flat.xml 2>"log-$1" || return 1
        mv flat.xml "network-$1.xml"
    fi
    # Always as `program`: so ccache knows what is the same in several.
    rm -rf "program-$1"
    CFLAGS=$flags on "$2" timeout --kill-after=5 "$limit" nice "$build/synth/dalsynth" --explain -o program \
        "network-$1.xml" "${machine_names[$2]}.$kind.xml" "map-$1.xml" >"explained-$1" 2>"log-$1" &&
        mv program "program-$1"
}

# why STATUS LOG: what went wrong, in a few words
why() {
    case $1 in
        124 | 137) echo "no end within $limit s" ;;
        *) echo "exit status $1 ($(grep -m 1 error "$2" || tail -n 1 "$2"))" ;;
    esac
}

# ranks_of MAPPING: how many nodes it uses
ranks_of() {
    grep -o 'processor name="n[0-9]*/' "map-$1.xml" | sort -u | wc -l
}

# names_in MAPPING: its processes, each with the parts that it is in
names_in() {
    sed -n 's/^ *\.name = "\([A-Z.]*\(P\|Tap_\)[0-9]*\)",$/\1/p' "program-$1/net.c"
}

# run_program MAPPING MACHINE FOLDER [-p PROCESS.PARAMETER=VALUE]...: its streams go to FOLDER
run_program() {
    local mapping=$1 machine=$2 folder=$3 status=0 ranks=() name options=()
    local -A whole=()
    [ -z "$(nodes_for "$1")" ] || read -ra ranks <<<"$launch -n $(ranks_of "$1")"
    shift 3
    while read -r name; do
        whole[${name##*.}]=$name
    done < <(names_in "$mapping")
    for name; do
        [ "$name" = -p ] || [ -z "${whole[${name%%.*}]:-}" ] || options+=(-p "${whole[${name%%.*}]}.${name#*.}")
    done
    mkdir -p "$folder"
    (cd "$folder" && on "$machine" timeout --kill-after=5 "$limit" "${ranks[@]}" "$OLDPWD/program-$mapping/network" \
        --strict "${options[@]}" "${port_options[@]}" <"$port_stdin" >>"${port_stdout:-$OLDPWD/log-$mapping}" \
        2>>"$OLDPWD/log-$mapping") || status=$?
    return $status
}

# run_outside MAPPING MACHINE FOLDER REFERENCE DICE [-p PROCESS.PARAMETER=VALUE]...: the same, with what is outside of its ports
run_outside() {
    local mapping=$1 machine=$2 folder=$3 reference=$4 dice=$5 status=0
    shift 5
    open_ports "$mapping" "$folder" "$reference" "$dice"
    run_program "$mapping" "$machine" "$folder" "$@" || status=$?
    close_ports "$folder"
    return $status
}

# compare MAPPING FOLDER REFERENCE [CHANNEL]: prints the first stream, or that of the channel, that is not the one of REFERENCE,
# and its first token. Only in streams-0 it is known how much there has to be in a channel.
compare() {
    local name token least tap size other mapping=$1
    shift
    while read -r name token least tap; do
        if [ ! -e "$1/$name" ] || [ "${3:-$name}" != "$name" ]; then
            continue
        fi
        size=$(stat -c %s "$1/$name")
        other=$(stat -c %s "$2/$name")
        if [ "$2" != streams-0 ]; then
            least=$((tap ? 0 : other))
        elif [ "$tap" -gt 0 ] && [ $port_gone = yes ]; then
            least=0
        fi
        if [ "$tap" -eq 0 ] && [ "$size" -ne "$least" ] || [ "$size" -lt "$least" ]; then
            echo "$name has $((size / token)) tokens instead of $((least / token))"
            return 1
        fi
        [ "$size" -lt "$other" ] || size=$other
        if ! cmp -n "$size" "$1/$name" "$2/$name" >cmp.txt 2>&1; then
            echo "$name differs from token $((($(sed 's/.*byte \([0-9]*\),.*/\1/' cmp.txt) - 1) / token)) on"
            return 1
        fi
    done <"channels-$mapping"
    [ ! -s "ports-$mapping" ] || [ "$1" = "$2" ] || compare_ports "$mapping" "$1" "$2"
}

# ---- other lengths -----------------------------------------------------------------------------------

# below N: a number below it, in `drawn`; a subshell would draw the same again
below() {
    drawn=$(((RANDOM << 15 | RANDOM) % $1))
}

# list_laps MAPPING: of each reader of a process that can end by itself: the process, the tokens from one beginning of
# the ring to the next, if it has a tail (rt/base/shape.h), those of a firing of the tables, and initial ones
list_laps() {
    awk 'FILENAME == "lengths" { ends[$1] = 1; next }
        { sub(/,$/, "") }
        $1 == ".name" { name = $3; gsub(/"|.*\./, "", name) }
        $1 == ".shadow_copies" { copies[name] = $3 }
        { sub(/^PROCESS_([A-Z]_)*/, "", $3) } # with its parts
        $1 == ".producer" { from[++count] = $3 }
        $1 == ".consumer" { to[count] = $3 }
        $1 == ".capacity" { capacity[count] = $3 }
        $1 == ".rate_in" { rate[count] = $3 }
        $1 == ".rate_out" { read[count] = $3 }
        $1 == ".initial_tokens" { initial[count] = $3 }
        END {
            for (i = 1; i <= count; i++) {
                firings = int(capacity[i] / read[i])
                if (copies[to[i]] < firings)
                    firings = copies[to[i]]
                lap = firings > 1 ? 8 * (firings * read[i] - 1) : 0
                if (from[i] in ends)
                    print from[i], (lap > capacity[i] ? lap : capacity[i]), rate[i], initial[i]
            }
        }' lengths "program-$1/net.c"
}

# draw_aim MAPPING MOST: sets `aimed` to a process, and `firings` to a number of its firings: the last one writes
# where one of its rings starts over, or anywhere, within MOST iterations
draw_aim() {
    local laps lap rate initial most each phases
    mapfile -t laps < <(list_laps "$1")
    [ ${#laps[@]} -gt 0 ] || mapfile -t laps < <(list_laps 0) # what else it has stands outside
    below ${#laps[@]}
    read -r aimed lap rate initial <<<"${laps[drawn]}"
    read -r _ each phases _ < <(grep "^$aimed " lengths)
    most=$(($2 * each / phases))
    below $((most > 0 ? most : 1))
    firings=$((drawn + 1))
    below 3
    if [ "$drawn" -gt 0 ] && [ $((most * rate)) -gt "$lap" ]; then
        below $((most * rate / lap))
        firings=$((((drawn + 1) * lap - initial) / rate + 1))
        below 3
        firings=$((firings + drawn))
    fi
    below "$phases"
    firings=$((firings * phases + drawn))
}

# draw_lengths SEED MAPPING ROUND: sets `options`
draw_lengths() {
    local bytes name each phases drawn aimed firings iterations number
    RANDOM=$((($1 * 64 + $2) * 64 + $3))
    bytes=$(cat streams-0/* | wc -c)
    read -r name each phases iterations <lengths
    iterations=$((iterations * most_bytes / (bytes + 1) + 1))
    draw_aim "$2" $((iterations < 2000 ? iterations : 2000))
    read -r _ each _ _ < <(grep "^$aimed " lengths)
    iterations=$((firings / each + 1))
    options=(-p "$aimed.firings=$((firings > 0 ? firings : 1))")
    while read -r name each phases number; do
        below 4
        [ "$name" != "$aimed" ] && { [ "$number" -gt 0 ] || [ "$drawn" -eq 0 ]; } || continue
        number=$((iterations * each))
        if [ "$drawn" -eq 0 ]; then # before the others
            below 100
            number=$((number * drawn / 100))
        fi
        below 9
        options+=(-p "$name.firings=$((number + drawn + 1))")
    done <lengths
}

# try_lengths SEED MAPPING MACHINE: the program once more, each time with other lengths; as the reference with the same ones
try_lengths() {
    local round text status options=()
    for ((round = 1; round <= lengths; round++)); do
        [ "${machine_names[$3]}" != simulator ] || return 0 # that takes too long
        [ -z "$(nodes_for "$2")" ] || [ "$round" -eq 1 ] || return 0
        draw_lengths "$1" "$2" "$round"
        runs=$((runs + 1)) status=0
        rm -rf streams-other streams-ends
        run_program 0 0 streams-other "${options[@]}" || status=$?
        if [ $status -ne 0 ]; then
            complain "$1" 0 "$(why $status log-0), with ${options[*]}"
            continue
        fi
        run_outside "$2" "$3" streams-ends streams-other $((($1 * 64 + $2) * 64 + round)) "${options[@]}" || status=$?
        if [ $status -ne 0 ]; then
            complain "$1" "$2" "$(why $status "log-$2"), with ${options[*]}"
        elif ! text=$(compare "$2" streams-ends streams-other); then
            complain "$1" "$2" "$text, with ${options[*]}"
        fi
    done
}

# ---- a port that is broken ---------------------------------------------------------------------------

# broken_port SEED MAPPING MACHINE: the harness itself, once: an input that loses its first token has to be seen
broken_port() {
    local needed
    [ -s "ports-$2" ] || return 0
    # Of which all is needed.
    needed=$(awk 'NR == FNR { least[$1] = $3; next } $2 == "in" && least["c" $3] > 0 { print $1; exit }' \
        "channels-$2" "ports-$2")
    [ -n "$needed" ] && mkdir "$work/damaged" 2>/dev/null || return 0
    port_damage=$needed
    run_outside "$2" "$3" streams-damaged streams-0 1 || true
    port_damage=''
    ! compare "$2" streams-damaged streams-0 >/dev/null || complain "$1" "$2" "a token that an input lost was not seen"
    rm -r streams-damaged
}

# ---- words in registers ------------------------------------------------------------------------------

# count_words MAPPING: of its channels in groups, those whose words are in registers, and in memory
count_words() {
    local registers memory
    registers=$(grep -c ' passes words in registers$' "explained-$1" || true)
    memory=$(grep -c ' passes words in memory: ' "explained-$1" || true)
    [ "$registers" -eq 0 ] || with_registers=$((with_registers + 1))
    in_registers=$((in_registers + registers))
    in_memory=$((in_memory + memory))
    [ $((registers + memory)) -eq 0 ] || chained=$((chained + 1))
}

# try_memory SEED MAPPING MACHINE: with all words in memory
try_memory() {
    local status=0 text
    [ $(($2 % 2)) -eq 0 ] && grep -q ' passes words in registers$' "explained-$2" || return 0
    runs=$((runs + 1))
    DAL_REGISTERS=0 make_program "$2" "$3" || status=$?
    if [ $status -ne 0 ]; then
        complain "$1" "$2" "dalsynth with DAL_REGISTERS=0: $(why $status "log-$2")"
        return
    fi
    if grep -q ' passes words in registers$' "explained-$2"; then
        complain "$1" "$2" "DAL_REGISTERS=0 leaves words in registers"
    fi
    run_outside "$2" "$3" streams-memory streams-0 $(($1 * 64 + $2)) || status=$?
    if [ $status -ne 0 ]; then
        complain "$1" "$2" "$(why $status "log-$2"), with DAL_REGISTERS=0"
    elif ! text=$(compare "$2" streams-memory streams-0); then
        complain "$1" "$2" "$text, with DAL_REGISTERS=0"
    fi
    rm -rf streams-memory
}

# ---- a mapping ---------------------------------------------------------------------------------------

# run_tried MAPPING ARGUMENT...: as run_outside. Every third mapping has launches of sizes that are tried, as a profile has.
run_tried() {
    if [ $(($1 % 3)) -eq 2 ]; then
        DAL_TIMES=$PWD/times-$1.json DAL_LAUNCH_SIZES=1 run_outside "$@"
    else
        run_outside "$@"
    fi
}

# try SEED MAPPING: one mapping against the reference
try() {
    local seed=$1 mapping=$2 machine status=0 text delay=() name
    machine=$(machine_for "$mapping")
    runs=$((runs + 1))
    ! grep -q '<network ' "network-$mapping.xml" || with_parts=$((with_parts + 1))
    [ ! -s "ports-$mapping" ] || with_ports=$((with_ports + 1))
    make_program "$mapping" "$machine" || status=$?
    if [ $status -ne 0 ]; then
        complain "$seed" "$mapping" "dalsynth: $(why $status "log-$mapping")"
        return
    fi
    count_words "$mapping"
    ! grep -q 'processor name="cuda_' "map-$mapping.xml" || on_cuda=$((on_cuda + 1))
    ! grep -q 'threads="' "map-$mapping.xml" || with_team=$((with_team + 1))
    if [ $((mapping % 2)) -eq 1 ]; then
        for name in $(names_in "$mapping" | grep Tap_); do
            delay+=(-p "${name##*.}.delay=40")
        done
    fi
    run_tried "$mapping" "$machine" "streams-$mapping" streams-0 $((seed * 64 + mapping)) "${delay[@]}" || status=$?
    if [ $status -ne 0 ]; then
        complain "$seed" "$mapping" "$(why $status "log-$mapping")"
    elif grep -q 'stand-in for CUDA' "log-$mapping"; then
        complain "$seed" "$mapping" "$(grep -m 1 'stand-in for CUDA' "log-$mapping")"
    elif grep -q 'may keep a state' "log-$mapping"; then # only what keeps none is asked for copies
        complain "$seed" "$mapping" "$(grep -m 1 'may keep a state' "log-$mapping")"
    elif grep -qE 'data race|Invalid (read|write)' "log-$mapping"; then
        complain "$seed" "$mapping" "$(grep -m 1 -E 'data race|Invalid (read|write)' "log-$mapping")"
    elif ! text=$(compare "$mapping" "streams-$mapping" streams-0); then
        complain "$seed" "$mapping" "$text"
    else
        broken_port "$seed" "$mapping" "$machine"
        try_lengths "$seed" "$mapping" "$machine"
        try_memory "$seed" "$mapping" "$machine"
    fi
    compared=$((compared + $(find "streams-$mapping" -type f | wc -l)))
}

# draw SEED: makes the folder and goes there
draw() {
    local devices=() k file
    for ((k = 1; k <= mappings + spreads + cuda; k++)); do
        devices+=("$(devices_for $k)")
    done
    folder=$work/network-$1
    rm -rf "$folder"
    mkdir -p "$folder"
    cd "$folder"
    export DAL_KERNEL_CACHE=$folder/kernels
    export DAL_TEST_PARK=$1 # in a build with --enable-checking, workers take part or not, by chance
    for file in "$work"/*.{machine,cluster}.xml; do
        sed "$(turn "$1" <"$file")" "$file" >"${file##*/}"
    done
    cp "$input"/*.[ch] .
    [ "$divides" = yes ] || sed -i '1i #define MIX_NO_DIVISION' mix.h
    "$build/test/determinism/random_network" "$1" . "$cores" "${devices[@]}"
}

reference() { # SEED
    local status=0 text
    runs=$((runs + 1))
    make_program 0 0 || status=$?
    if [ $status -ne 0 ]; then
        complain "$1" 0 "dalsynth: $(why $status log-0)"
        return 1
    fi
    run_program 0 0 streams-0 || status=$?
    if [ $status -ne 0 ]; then
        complain "$1" 0 "$(why $status log-0)"
        return 1
    fi
    if ! text=$(compare 0 streams-0 streams-0); then
        complain "$1" 0 "$text"
        return 1
    fi
}

# ---- a channel that is broken ------------------------------------------------------------------------

# is_alike NAME BYTES TOKEN: is that token of the reference the same as the next one?
is_alike() {
    cmp -s -n "$2" -i "$(($2 * $3)):$(($2 * ($3 + 1)))" "streams-0/$1" "streams-0/$1"
}

# The harness itself: a tap that swaps two tokens, or loses one, has to be seen where it stands. (In
# a cycle other channels follow it.)
broken_channel() { # SEED
    local name token least tap fault text
    draw "$1"
    reference "$1" || return 0
    while read -r name token least tap; do
        if [ "$tap" -lt 2 ] || [ "$token" -lt 3 ] || [ "$token" -gt 100 ] || is_alike "$name" "$token" $((2 * tap)); then
            continue
        fi
        for fault in swap drop; do
            run_program 0 0 streams-fault -p "Tap_${name#c}.fault=$fault" || true
            if text=$(compare 0 streams-fault streams-0 "$name"); then
                complain "$1" 0 "$fault in $name was not seen"
            elif [[ $text != "$name differs from token $((2 * tap)) on" ]]; then
                complain "$1" 0 "$fault in $name, token $((2 * tap)), was taken for: $text"
            else
                broken=$((broken + 1))
            fi
        done
    done <channels-0
}

# ---- arithmetic that differs -------------------------------------------------------------------------

# The harness itself: a kernel that contracts a*b+c has to be seen, where a device can do that.
contracts() { # SEED
    local machine k text
    draw "$1"
    reference "$1" || return 0
    for ((k = 1; k <= mappings; k++)); do
        machine=$(machine_for $k)
        find "network-$k.xml" "parts-$k" -type f -exec \
            sed -i 's|type="opencl"|& contraction="on"|; s|type="portable"|& contraction="on"|' {} +
        make_program "$k" "$machine" && run_outside "$k" "$machine" "streams-$k" streams-0 "$k" || continue
        if ! text=$(compare "$k" "streams-$k" streams-0) && [[ $text == *differs* ]]; then
            contracted=$((contracted + 1))
            return
        fi
    done
}

# ---- all of it ---------------------------------------------------------------------------------------

# one_network SEED: in a folder of its own, which is gone afterwards; leaves its counts
one_network() {
    local k count=$((mappings + spreads))
    runs=0 failures=0 compared=0 on_cuda=0 with_team=0 with_parts=0 with_ports=0
    with_registers=0 chained=0 in_registers=0 in_memory=0
    export DAL_STANDIN_SEED=$1
    [ $(($1 - first)) -ge "$cuda_networks" ] || count=$((count + cuda))
    draw "$1"
    if reference "$1"; then
        for ((k = 1; k <= count; k++)); do
            try "$1" "$k"
        done
    fi
    cd "$work"
    rm -rf "$folder"
    echo "$runs $failures $compared $on_cuda $with_team $with_parts $with_ports" \
        "$with_registers $chained $in_registers $in_memory" >"counts-$1"
}

# add_counts SEED: of one that may have ended before its time
add_counts() {
    local more
    if ! read -ra more 2>/dev/null <"$work/counts-$1"; then
        complain "$1" - "the script ended"
        return
    fi
    runs=$((runs + more[0]))
    failures=$((failures + more[1]))
    compared=$((compared + more[2]))
    on_cuda=$((on_cuda + more[3]))
    with_team=$((with_team + more[4]))
    with_parts=$((with_parts + more[5]))
    with_ports=$((with_ports + more[6]))
    with_registers=$((with_registers + more[7]))
    chained=$((chained + more[8]))
    in_registers=$((in_registers + more[9]))
    in_memory=$((in_memory + more[10]))
}

all_networks() {
    local seed
    for ((seed = first; seed < first + networks; seed++)); do
        while [ "$(jobs -pr | wc -l)" -ge "$jobs" ]; do
            wait -n || true
        done
        one_network "$seed" &
        running=$(jobs -pr)
    done
    wait || true
    running=''
    for ((seed = first; seed < first + networks; seed++)); do
        add_counts "$seed"
    done
}

teams=yes
echo '#include <omp.h>' | ${CC:-cc} -fopenmp -E - >/dev/null 2>&1 || teams=no
driver=${DAL_CUDA_DRIVER:-} compiler=${DAL_CUDA_COMPILER:-}
if [ -z "$driver" ]; then
    driver=$build/test/cuda/standin/.libs/libstandin_cuda.so compiler=$build/test/cuda/standin/.libs/libstandin_nvrtc.so
fi
export DAL_CUDA_DRIVER=off # but for the machine that has it
cores=$("$dalinfo" --architecture | grep -c 'name="core_[0-9]*" type')
machine usual ${POCL_DEVICES:+"POCL_DEVICES=$POCL_DEVICES"}
two=$(two_devices)
[ -z "$two" ] || machine two "POCL_DEVICES=$two"
# With --enable-checking their memories are apart, as those of two GPUs.
[ -z "$two" ] || machine apart "POCL_DEVICES=$two" DAL_TEST_MASK=unified
# As OpenCL 1.2: they share memory, but not at the same time.
[ -z "$two" ] || machine mapped "POCL_DEVICES=$two" DAL_TEST_MASK=fine_svm
# Beside the other devices, as a second platform. It reports what a kernel does beyond its windows, and races.
if simulator vendors; then
    cp /etc/OpenCL/vendors/*.icd vendors 2>/dev/null || true
    export OCLGRIND_DATA_RACES=1
    machine simulator "OCL_ICD_VENDORS=$work/vendors"
fi
usual_machines=${#machine_names[@]}
[ "$cuda" -eq 0 ] || machine cuda "DAL_CUDA_DRIVER=$driver" ${compiler:+"DAL_CUDA_COMPILER=$compiler"}
[ -n "$cuda_machine" ] || cuda=0
[[ $driver != *standin* ]] || cuda_networks=${DETERMINISM_STANDIN:-2}
[ $((usual_machines + cuda)) -gt 0 ] || fail "no device of OpenCL or CUDA: kernels cannot be tried"
if [ "$usual_machines" -eq 0 ]; then
    mappings=0 spreads=0
    usual_machines=1
fi
if find_mpi; then
    without_leaks
else
    spreads=0
fi
echo "machines: ${machine_names[*]} with ${machine_devices[*]} devices of OpenCL; $cuda_devices of CUDA; teams: $teams"

broken=0
for ((seed = first; broken == 0 && seed < first + 20; seed++)); do
    broken_channel "$seed"
done
[ "$broken" -gt 0 ] || complain "$first" 0 "no network to try a broken channel in"

contracted=0
for ((seed = first; contracted == 0 && seed < first + 10; seed++)); do
    contracts "$seed"
done
if [ "$contracted" -eq 0 ] && [ "$mappings" -gt 0 ] && grep -qwE 'fma|fphp' /proc/cpuinfo; then
    complain "$first" 1 "contraction was allowed, and nothing differs"
fi

cd "$work"
runs=0
all_networks
# The first two have kernels that are placed there; others need not.
if [ "$first" -eq 1 ] && [ "$cuda" -gt 0 ] && [ "$cuda_networks" -gt 0 ] && [ "$on_cuda" -eq 0 ]; then
    complain "$first" - "nothing was on a device of CUDA"
fi
if [ "$first" -eq 1 ] && [ "$mappings" -gt 2 ] && [ "$with_parts" -eq 0 ]; then
    complain "$first" - "no network had parts"
fi
if [ "$first" -eq 1 ] && [ "$mappings" -gt 2 ] && [ "$with_ports" -eq 0 ]; then
    complain "$first" - "no network had open ports"
elif [ "$first" -eq 1 ] && [ "$networks" -ge 9 ] && [ "$mappings" -gt 4 ] && [ ! -e damaged ]; then
    complain "$first" - "no input to lose a token of"
fi

# A good part of the channels in groups is in registers, and a good part only looks so.
if [ "$first" -eq 1 ] && [ "$networks" -ge 9 ] && [ "$mappings" -gt 4 ] &&
    { [ $((in_registers * 5)) -lt "$in_memory" ] || [ $((in_memory * 20)) -lt "$in_registers" ]; }; then
    complain "$first" - "$in_registers channels have their words in registers, and $in_memory in memory"
fi

echo "words: in registers in $with_registers of $chained mappings with groups, of $in_registers channels; of $in_memory in memory"
echo "$mappings mappings each, $spreads over several nodes, $cuda on CUDA: $compared streams compared, $on_cuda runs with CUDA," \
    "$with_team with teams, $with_parts with parts, $with_ports with ports, $broken damages and $contracted contractions seen"
if [ "$failures" -gt 0 ]; then
    echo "$networks networks, $runs runs, $failures failures"
    exit 1
fi
echo "$networks networks, $runs runs, the same bytes in all"
