#!/usr/bin/env bash
# Calls of dal.h that a process may not make: each is refused by the names of the process, the call
# and the port, and ends the program with 1. A process that ends its thread or the program likewise.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

refused() { # PROCESS WHAT WORDS OPTION...
    run 1 "$program" -p "$1.what=$2" "${@:4}"
    expect "$3" messages
}

directions() { # PROCESS
    local call
    for call in write write_begin write_end wtest; do
        refused "$1" direction-$call "process $1: DAL_$call on port in, which is an input port (calls.xml:"
    done
    for call in read read_begin read_end rtest at_end; do
        refused "$1" direction-$call "process $1: DAL_$call on port out, which is an output port (calls.xml:"
    done
    refused "$1" direction-nowhere "process $1: DAL_write on port nowhere, which it does not have (calls.xml:"
}

outside() { # PROCESS PLACE...
    local call port place
    for call in write write_begin write_end wtest read read_begin read_end rtest at_end; do
        case $call in w*) port=out ;; *) port=in ;; esac
        for place in "${@:2}"; do
            refused "$1" "$place-$call" "process $1: DAL_$call on port $port in $place"
        done
        refused "$1" thread-$call "process $1: DAL_$call on port $port from outside of its firing"
    done
}

# Tokens of another process, which keeps its p in a variable.
kept() { # KEEPER USER
    local call port
    for call in write write_begin write_end wtest read read_begin read_end rtest at_end; do
        case $call in w*) port=out ;; *) port=in ;; esac
        refused "$2" other-$call "process $1: DAL_$call on port $port from outside of its firing, by process $2" \
            -p "$1.what=kept"
    done
}

leaving() { # PROCESS
    local place
    for place in init fire finish; do
        refused "$1" $place-pthread_exit "process $1: $place ended its thread while the network runs (calls.xml:"
        refused "$1" $place-exit "process $1: $place ended the program by exit() while the network runs (calls.xml:"
        refused "$1" $place-quick_exit "process $1: $place ended the program by exit()"
    done
}

blocks() {
    refused wrong blocks-again "process wrong: firing 1 ended a block of port out more than once"
    refused wrong blocks-more "process wrong: firing 1 ended a block of port out more than once"
    refused wrong blocks-mixed "process wrong: firing 1 ended a block of port out more than once"
    refused wrong blocks-end "process wrong: DAL_write_end on port out, of which nothing is begun"
    refused wrong blocks-end_read "process wrong: DAL_read_end on port in, of which nothing is begun"
    refused wrong blocks-wrap "process wrong: DAL_write_begin asks for"
    refused wrong blocks-large "process wrong: DAL_read_begin asks for"
}

# The checks of a process that cannot keep its p fold away: ports are constants, no p is compared.
folded() { # UNIT
    ! nm -u "$variant/$1_unit.o" | grep -E 'dal_(firing|port_index)$' || fail "$variant: $1 looks for its ports"
}

for variant in one two one-O0 one-clang; do
    mapping=${variant%%-*}
    case $variant in
    *-O0) export CFLAGS=-O0 ;;
    *-clang)
        command -v clang >/dev/null || continue
        [ -z "${DAL_SANITIZER:-}" ] || continue # gcc's has another library
        export CC=clang
        ;;
    esac
    synthesise -o "$variant" "$input/calls.xml" "$input/machine.xml" "$input/$mapping.xml"
    unset CFLAGS CC
    program=$variant/calls
    run 0 "$program"
    [ "$(cat output)" = "100 numbers" ] || fail "$variant" output
    [[ $variant == *-O0 || -n ${DAL_SANITIZER:-} ]] || folded numbers
    directions wrong
    [[ $variant == *-* ]] && continue
    directions kpn
    outside wrong init finish
    outside kpn finish # init of a KPN process may
    if [[ ${DAL_SANITIZER:-} != *thread* ]]; then # which may tell first that such a call is a race
        kept other wrong
        kept wrong kpn
        kept kpn other
    fi
    leaving wrong
    leaving kpn
    blocks
done

echo "all wrong calls are refused"
