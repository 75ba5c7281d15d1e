# Open ports in determinism.sh, which reads this file: what stands outside of a network gives and takes by files, arrays, sounds
# and pipes. ports-MAPPING has the list of them (random_network.c).
# shellcheck shell=bash disable=SC2034 # the other file uses some of it

port_options=() port_stdin=/dev/null port_stdout='' # of the next run
port_feeders=() port_readers=()                     # processes
port_gone=no                                        # does a reader go away?
port_damage=''                                      # for a test of the test: an input that loses its first token
declare -A port_form=() port_left=()                # by port: its form; of an output, how many bytes its reader wants

# le BYTES NUMBER...: numbers as files have them
le() {
    local bytes=$1 number k
    shift
    for number; do
        for ((k = 0; k < bytes; k++)); do
            printf "\\x$(printf %02x $((number >> 8 * k & 255)))"
        done
    done
}

# npy DESCR SHAPE: the header of an array
npy() {
    printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '$1', 'fortran_order': False, 'shape': ($2), }"
}

# wave DESCR: format and bits of a sound's samples; fails where they are none
wave() {
    case $1 in
        '<f4') echo 3 32 ;;
        '<i2') echo 1 16 ;;
        '|u1') echo 1 8 ;;
        *) return 1 ;;
    esac
}

# wav DESCR BYTES: the header of a sound
wav() {
    local format bits
    read -r format bits < <(wave "$1")
    printf RIFF
    le 4 $((36 + $2 + $2 % 2))
    printf 'WAVEfmt '
    le 4 16
    le 2 "$format" 1
    le 4 8000 $((8000 * bits / 8))
    le 2 $((bits / 8)) "$bits"
    printf data
    le 4 "$2"
}

# dribble FILE: to standard output, in small pieces and with pauses
dribble() {
    local piece
    {
        for piece in 1 7 4093 1 1 7 4093 7; do
            head -c "$piece"
            sleep 0.002
        done
        dd bs=7 count=500 status=none
        dd bs=4093 status=none
    } <"$1" 2>/dev/null || true
}

# draw_form IN|OUT DESCR: sets `form`. Only one input, and one output, has a standard stream.
draw_form() {
    local drawn forms=(raw npy pipe)
    ! wave "$2" >/dev/null || forms+=(wav)
    if [ "$1" = in ]; then
        forms+=(dribble)
        [ "$port_stdin" != /dev/null ] || forms+=(- -dribble)
    else
        forms+=(head)
        [ -n "$port_stdout" ] || forms+=(- -head)
    fi
    below ${#forms[@]}
    form=${forms[drawn]}
}

# give_input NAME TOKEN-BYTES DESCR COUNT: NAME.fed as a file, or a process that feeds it
give_input() {
    local name=$1 descr=$3 columns='' bytes
    bytes=$(stat -c %s "$name.fed")
    case ${port_form[$name]} in
        npy)
            [ "$4" -eq 1 ] || columns=" $4"
            [ "$descr" != - ] || descr="|V$2"
            { npy "$descr" "$((bytes / $2)),$columns" && cat "$name.fed"; } >"$name.npy"
            port_options+=("--$name=$name.npy")
            ;;
        wav)
            wav "$descr" "$bytes" >"$name.wav"
            cat "$name.fed" >>"$name.wav"
            [ $((bytes % 2)) -eq 0 ] || printf '\0' >>"$name.wav"
            port_options+=("--$name=$name.wav")
            ;;
        raw) port_options+=("--$name=$name.fed") ;;
        -)
            port_stdin=$name.fed
            port_options+=("--$name=-")
            ;;
        pipe | *dribble)
            mkfifo "$name.pipe"
            if [ "${port_form[$name]}" = pipe ]; then
                cat "$name.fed" >"$name.pipe" 2>/dev/null &
            else
                dribble "$name.fed" >"$name.pipe" &
            fi
            port_feeders+=($!)
            if [ "${port_form[$name]}" = -dribble ]; then
                port_stdin=$name.pipe
                port_options+=("--$name=-")
            else
                port_options+=("--$name=$name.pipe")
            fi
            ;;
    esac
}

# take_output NAME LEAST: a file, or a process that takes it; some of these go away before LEAST bytes
take_output() {
    local name=$1 drawn
    case ${port_form[$name]} in
        npy) port_options+=("--$name=$name.npy") ;;
        wav) port_options+=("--$name=$name.wav,rate=8000") ;;
        raw) port_options+=("--$name=$name") ;;
        *)
            mkfifo "$name.pipe"
            if [[ ${port_form[$name]} == *head ]]; then
                below $(($2 + 1))
                port_left[$name]=$drawn
                port_gone=yes
                head -c "$drawn" <"$name.pipe" >"$name" &
            else
                cat <"$name.pipe" >"$name" &
            fi
            port_readers+=($!)
            if [[ ${port_form[$name]} == -* ]]; then
                port_stdout=$name.pipe
                port_options+=("--$name=-")
            else
                port_options+=("--$name=$name.pipe")
            fi
            ;;
    esac
}

# least_of TOKENS BYTES SINK SINK-BYTES RATE REFERENCE: the bytes that an output gives at least, in `least`: all that was counted, or
# where a run has other lengths, what its sink read
least_of() {
    local firings
    least=$(($1 * $2))
    [ "$6" != streams-0 ] || return 0
    firings=$(($(stat -c %s "$6/$3") / $4))
    least=$((firings * $5 * $2))
}

# open_ports MAPPING FOLDER REFERENCE DICE: the options of the next run, and what stands outside
open_ports() {
    local name way edge bytes tokens descr count sink sink_bytes rate least form
    port_options=() port_stdin=/dev/null port_stdout='' port_feeders=() port_readers=() port_gone=no
    port_form=() port_left=()
    RANDOM=$4
    mkdir -p "$2"
    while read -r name way edge bytes tokens descr count sink sink_bytes rate; do
        draw_form "$way" "$descr"
        port_form[$name]=$form
        if [ "$way" = out ]; then
            least_of "$tokens" "$bytes" "$sink" "$sink_bytes" "$rate" "$3"
            cd "$2" || return
            take_output "$name" "$least"
        else
            if [ "$3" = streams-0 ]; then
                head -c $((tokens * bytes)) "$3/whole-$edge" >"$2/$name.fed"
            else
                cp "$3/whole-$edge" "$2/$name.fed"
            fi
            cd "$2" || return
            if [ "$port_damage" = "$name" ]; then
                tail -c +$((bytes + 1)) "$name.fed" >fed && mv fed "$name.fed"
            fi
            give_input "$name" "$bytes" "$descr" "$count"
        fi
        cd "$OLDPWD" || return
    done <"ports-$1"
}

# close_ports FOLDER: waits for what stands outside, where the program may have ended before it opened a pipe
close_ports() {
    local pipe
    for pipe in "$1"/*.pipe; do
        [ ! -e "$pipe" ] || : <>"$pipe"
    done
    [ ${#port_feeders[@]} -eq 0 ] || kill "${port_feeders[@]}" 2>/dev/null || true
    wait "${port_feeders[@]}" "${port_readers[@]}" 2>/dev/null || true
    port_options=() port_stdin=/dev/null port_stdout=''
}

# unwrap NAME DESCR COUNT TOKEN-BYTES: what is behind the header of NAME.npy or NAME.wav; fails at a header that is not right
unwrap() {
    local size columns='' descr=$2
    case ${port_form[$1]} in
        npy)
            tail -c +129 "$1.npy" >"$1"
            size=$(stat -c %s "$1")
            [ "$3" -eq 1 ] || columns=" $3"
            [ "$descr" != - ] || descr="|V$4"
            cmp -s <(head -c 128 "$1.npy") <(npy "$descr" "$((size / $4)),$columns")
            ;;
        wav)
            tail -c +45 "$1.wav" >"$1"
            size=$(od -An -tu4 -j40 -N4 "$1.wav")
            [ "$(stat -c %s "$1")" -eq $((size + size % 2)) ] || return 1
            truncate -s "$((size))" "$1"
            cmp -s <(head -c 44 "$1.wav") <(wav "$descr" "$size")
            ;;
    esac
}

# compare_ports MAPPING FOLDER REFERENCE: prints the first output that is not as it should be
compare_ports() {
    local name way edge bytes tokens descr count sink sink_bytes rate least size other
    while read -r name way edge bytes tokens descr count sink sink_bytes rate; do
        [ "$way" = out ] || continue
        least_of "$tokens" "$bytes" "$sink" "$sink_bytes" "$rate" "$3"
        if ! (cd "$2" && unwrap "$name" "$descr" "$count" "$bytes"); then
            echo "$name has another header"
            return 1
        fi
        size=$(stat -c %s "$2/$name")
        least=${port_left[$name]:-$least}
        if [ "$size" -lt "$least" ] || { [ "$3" = streams-0 ] && [ "$size" -ne "$least" ]; }; then
            echo "$name (${port_form[$name]}) has $size bytes instead of $least"
            return 1
        fi
        cat "initial-$edge" "$3/c$edge" >wanted
        other=$(stat -c %s wanted)
        [ "$size" -lt "$other" ] || size=$other
        if ! cmp -n "$size" "$2/$name" wanted >cmp.txt 2>&1; then
            echo "$name (${port_form[$name]}) differs: $(cat cmp.txt)"
            return 1
        fi
    done <"ports-$1"
}
