# What the tests of parts share, after test/lib.sh.
# shellcheck shell=bash

# network NAME [ATTRIBUTE...]: writes NAME.xml, a network that is this part alone. Its ports are those of the part, as `ports`
# lists them with the types of their tokens; those are inputs whose names begin with "in". `inside` is what stands within the part.
inside=
ports='in=float out=float'
network() {
    local name=$1 port kind
    shift
    {
        echo "<processnetwork name=\"$name\">"
        for port in $ports; do
            kind=output
            case $port in in*) kind=input ;; esac
            echo "  <port type=\"$kind\" name=\"${port%%=*}\" tokentype=\"${port#*=}\"/>"
        done
        echo "  <network name=\"Part\" source=\"dal:$name.xml\" $*>$inside</network>"
        for port in $ports; do
            case $port in
            in*) echo "  <channel from=\"${port%%=*}\" to=\"Part.${port%%=*}\"/>" ;;
            *) echo "  <channel from=\"Part.${port%%=*}\" to=\"${port%%=*}\"/>" ;;
            esac
        done
        echo "</processnetwork>"
    } >"$name.xml"
}

# part NAME [ATTRIBUTE...]: makes the program NAME/NAME of such a network
part() {
    network "$@"
    rm -rf "$1"
    synthesise -o "$1" "$1.xml"
}

# refuse_part TEXT NAME [ATTRIBUTE...]: dalsynth refuses such a network with this text, and writes nothing
refuse_part() {
    local text=$1
    shift
    network "$@"
    refuse "$text" "$1.xml"
}

# refuse_change TEXT PROGRAM PROCESS.PARAMETER=VALUE OPTION...: this live change is refused with this text, as `dal set` has it
refuse_change() {
    local text=$1 program=$2
    echo "2 $3" >changes
    shift 3
    DAL_REPLAY=changes run 1 "$program" "$@"
    expect "changes:1: DAL_REPLAY: $text" messages
}

# need WHAT...: skips the test where a program, or pkg:NAME of pkg-config, is missing; needs NumPy, too
need() {
    local what
    find_numpy || skip "there is no python3 with numpy"
    for what; do
        case $what in
        pkg:*) pkg-config --exists "${what#pkg:}" || skip "pkg-config does not know ${what#pkg:}" ;;
        *) command -v "$what" >/dev/null || skip "$what is missing" ;;
        esac
    done
}
