#!/bin/sh
# dal new and dal add: begins a network, and adds processes to one.
#
#     dal-new.sh DAL VERB ARGUMENT...
#
# DAL is the program that calls this.
set -eu

dal=$1
shift
new_usage='usage: dal new NAME

Makes a folder NAME with a network of three processes, their sources in C and OpenCL C, two mappings, a Makefile, and the
schemas, which the files name for an editor. Then, in that folder:

    make run           everything on the cores
    make run-device    the kernel on the first OpenCL device
    dal tune           the fastest program for this machine'
add_usage='usage: dal add process NAME [PROCESS.PORT]

In a folder that dal new has made, adds a process that reads what PROCESS.PORT sends (the port of the first channel of the
network): its source NAME.c, its line and its channel in the network, and where it runs in map-device.xml.'

fail() {
    echo "dal: $1" >&2
    exit 1
}

misused() {
    echo "dal: $1" >&2
    echo "Try 'dal help'." >&2
    exit 2
}

# The folder of the schemas: installed, or of the sources of a build folder.
schemas() {
    here=$(dirname "$dal")
    uninstalled=$here/../dal-uninstalled.pc
    for folder in "$here/../share/dal" \
        "$([ ! -r "$uninstalled" ] || sed -n 's|^includedir=\(.*\)/include$|\1/spec/schemas|p' "$uninstalled")"; do
        if [ -r "$folder/processnetwork.xsd" ]; then
            echo "$folder"
            return
        fi
    done
    fail "the schemas are not where they were installed, $here/../share/dal"
}

# check_name NAME: it becomes a name of C and of files.
check_name() {
    case $1 in
    *[!A-Za-z0-9_]* | [0-9]* | '') misused "'$1' is no name of letters, digits and _ that starts with no digit" ;;
    esac
    [ ${#1} -le 60 ] || misused "'$1' has more than 60 characters"
}

# ---- new -------------------------------------------------------------------------------------------------------------

model() { # SCHEMA
    echo '<?xml version="1.0" encoding="UTF-8"?>'
    echo "<?xml-model href=\"schemas/$1.xsd\" schematypens=\"http://www.w3.org/2001/XMLSchema\"?>"
}

write_specifications() { # NAME
    {
        model processnetwork
        cat <<EOF
<!-- Source sends numbers, Work squares them, Sink prints them. -->
<processnetwork name="$1">
  <process name="Source" source="source.c">
    <parameter name="count" value="10"/>
  </process>
  <process name="Work" source="work.c work.cl"/>
  <process name="Sink" source="sink.c"/>
  <channel from="Source.out" to="Work.in" type="int"/>
  <channel from="Work.out" to="Sink.in" type="int"/>
</processnetwork>
EOF
    } >"$1.xml"
    {
        model mapping
        cat <<EOF
<!-- Everything runs as C on the cores. -->
<mapping name="cores" processnetwork="$1">
  <binding name="all"><process name="*"/><processor name="core_0"/></binding>
</mapping>
EOF
    } >map-cores.xml
    {
        model mapping
        cat <<EOF
<!-- Work runs as a kernel on the first OpenCL device. -->
<mapping name="device" processnetwork="$1">
  <binding name="Work"><process name="Work"/><processor name="device_0"/></binding>
  <binding name="Source"><process name="Source"/><processor name="core_0"/></binding>
  <binding name="Sink"><process name="Sink"/><processor name="core_0"/></binding>
</mapping>
EOF
    } >map-device.xml
}

write_sources() {
    cat >source.c <<'EOF'
/* Source: sends 1, 2, 3, .. */
#include "dal.h"

struct _local_states {
    int last;   /* number sent */
    long count; /* to send */
};

void Source_init(DALProcess *p)
{
    DAL_getParameterInt("count", &p->local->count, p);
}

int Source_fire(DALProcess *p)
{
    if (p->local->last >= p->local->count)
        return 1; /* the end: what was sent still arrives */
    p->local->last++;
    DAL_WRITE_TOKEN(out, &p->local->last, p);
    return 0;
}
EOF
    cat >work.c <<'EOF'
/* Work, on a core: the square of each number. */
#include "dal.h"

int Work_fire(DALProcess *p)
{
    const int *in = DAL_READ_TOKENS(int, in, TOKEN_in_RATE, p);
    int *out = DAL_WRITE_TOKENS(int, out, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    if (!in || !out)
        return 1;
    *out = *in * *in;
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}
EOF
    cat >work.cl <<'EOF'
/* Work, on a device: a firing is a work-group, a launch has as many as there are tokens. */
__kernel void Work(__global const int *in, __global int *out)
{
    size_t firing = get_group_id(0);

    if (get_local_id(0) == 0)
        out[firing] = in[firing] * in[firing];
}
EOF
    cat >sink.c <<'EOF'
/* Sink: prints what arrives. */
#include "dal.h"

int Sink_fire(DALProcess *p)
{
    int number;

    DAL_READ_TOKEN(in, &number, p);
    DAL_printf("%d\n", number);
    return 0;
}
EOF
}

# Its program has another name where this one belongs to the Makefile of dal build.
program() { # NAME
    case $1 in
    all | always | clean | [Mm][Aa][Kk][Ee][Ff][Ii][Ll][Ee] | [Gg][Nn][Uu][Mm][Aa][Kk][Ee][Ff][Ii][Ll][Ee])
        echo "network_$1"
        ;;
    *) echo "$1" ;;
    esac
}

write_makefile() { # NAME
    cat >Makefile <<EOF
# make              the program with everything on the cores, in cores/
# make device       the program with the kernel on the first OpenCL device, in device/
# make run, make run-device
# make clean        removes both, what was found out about this machine (arch.xml), and what dal tune makes (tuned/)

name = $1
program = $(program "$1")
DAL ?= $(command -v dal >/dev/null && echo dal || echo "$dal")

all: cores/\$(program)
device: device/\$(program)

run: cores/\$(program)
	cores/\$(program)
run-device: device/\$(program)
	device/\$(program)

# Also for an editor: how each source is compiled.
cores/\$(program) device/\$(program): %/\$(program): \$(name).xml arch.xml map-%.xml
	\$(DAL) build --depends=\$*/depends.mk -o \$* \$(name).xml arch.xml map-\$*.xml
	ln -sf \$*/compile_commands.json .

arch.xml:
	\$(DAL) info --architecture -o \$@

clean:
	rm -rf cores device tuned arch.xml compile_commands.json

# All files that a program was made of.
-include cores/depends.mk device/depends.mk

.PHONY: all device run run-device clean
EOF
    printf '/cores/\n/device/\n/tuned/\n/arch.xml\n/compile_commands.json\n' >.gitignore
}

new() { # NAME
    check_name "$1"
    [ ! -e "$1" ] && [ ! -L "$1" ] || fail "'$1' is there already"
    from=$(schemas)
    mkdir "$1" || fail "'$1' cannot be made"
    cd "$1"
    mkdir schemas
    cp "$from"/processnetwork.xsd "$from"/architecture.xsd "$from"/mapping.xsd "$from"/fsm.xsd "$from"/types.xsd schemas/
    write_specifications "$1"
    write_sources
    write_makefile "$1"
    echo "$1 is there: cd $1 && make run"
}

# ---- add -------------------------------------------------------------------------------------------------------------

# The network of the Makefile that `dal new` has made.
find_network() {
    [ -r Makefile ] && network=$(sed -n 's/^name = \([A-Za-z0-9_]*\)$/\1/p' Makefile) && [ -n "$network" ] &&
        [ -r "$network.xml" ] && [ -r map-device.xml ] ||
        fail "this is no folder that 'dal new' has made: it has no Makefile with a network's name, no such network, or \
no map-device.xml"
}

# The short channels, each in one line, with double quotes; not those in comments.
channels() {
    awk '
        { text = text $0 " " }
        END {
            while (at = index(text, "<")) {
                text = substr(text, at)
                if (substr(text, 1, 4) == "<!--") {
                    if (!(at = index(text, "-->")))
                        exit
                    text = substr(text, at)
                    continue
                }
                is_channel = text ~ /^<channel[ \t\r]/
                text = substr(text, is_channel ? 9 : 2)
                if (!is_channel)
                    continue
                line = ""
                while (match(text, /^[ \t\r]*[A-Za-z]+[ \t\r]*=[ \t\r]*("[^"]*"|'"'[^']*'"')/)) {
                    name = value = substr(text, 1, RLENGTH)
                    text = substr(text, RLENGTH + 1)
                    sub(/=.*/, "", name)
                    gsub(/[ \t\r]/, "", name)
                    sub(/^[^=]*=[ \t\r]*/, "", value)
                    value = substr(value, 2, length(value) - 2)
                    gsub(/"/, "\\&quot;", value)
                    line = line " " name "=\"" value "\""
                }
                print line
            }
        }' "$network.xml"
}

# The first channel, or the first one from a port.
find_channel() { # [PROCESS.PORT]
    channels | grep " from=\"${1:-[A-Za-z0-9_]*\\.[A-Za-z0-9_]*}\"" | head -n 1 || true
}

attribute() { # NAME: of $channel, with a space in front
    printf '%s\n' "$channel" | grep -o " $1=\"[^\"]*\"" || true
}

write_reader() { # NAME
    cat >"$1.c" <<EOF
/* $1: looks at tokens; says how many there were. */
#include "dal.h"

struct _local_states {
    unsigned long count;
};

int $1_fire(DALProcess *p)
{
    const void *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);

    if (!in)
        return 1;
    p->local->count += TOKEN_in_RATE;
    DAL_read_end(PORT_in, in, p);
    return 0;
}

void $1_finish(DALProcess *p)
{
    DAL_printf("$1: %lu tokens\\n", p->local->count);
}
EOF
}

# insert FILE ELEMENT LINE...: in front of the last end tag of this element.
insert() {
    file=$1
    element=$2
    shift 2
    [ "$(grep -c "^ *</$element>" "$file")" -eq 1 ] || fail "$file has not one line with </$element> alone"
    lines=$(printf '%s\n' "$@")
    LINES_TO_ADD=$lines awk -v tag="</$element>" \
        '{ at = $0; sub(/^ */, "", at); if (index(at, tag) == 1) print ENVIRON["LINES_TO_ADD"]; print }' \
        "$file" >"$file.new"
}

# Writes FILE.new beside FILE as FILE.next, with its mode, which may be that of a file to read only; a link is followed.
prepare() { # FILE
    file=$(readlink -f "$1")
    cp -p "$file" "$file.next" && chmod u+w "$file.next" && cat "$1.new" >"$file.next" && chmod --reference="$file" "$file.next"
}

# Both files become their new ones, or neither does.
replace_both() { # FILE FILE
    first=$(readlink -f "$1") second=$(readlink -f "$2")
    prepare "$1" && prepare "$2" && cp -p "$first" "$first.old" && mv -f "$first.next" "$first" || return 1
    mv -f "$second.next" "$second" && return
    mv -f "$first.old" "$first"
    return 1
}

add() { # NAME [PROCESS.PORT]
    check_name "$1"
    find_network
    [ -w . ] || fail "nothing can be written in this folder, $PWD"
    channel=$(find_channel "${2-}")
    [ -n "$channel" ] || fail "$network.xml has no <channel> $([ -n "${2-}" ] && echo "from \"$2\"" || echo 'to read from')"
    for word in newest inplace; do
        [ -z "$(attribute $word)" ] ||
            fail "$network.xml: the channel$(attribute from) says$(attribute $word): nothing else can read from its port"
    done
    names=$("$dal" list --names=processes "$network.xml") || fail "nothing was changed"
    ! echo "$names" | grep -qxF "$1" || fail "$network.xml has a process '$1' already"
    [ ! -e "$1.c" ] || fail "'$1.c' is there already"
    source=$1.c first=$network.xml second=map-device.xml
    trap 'rm -f "$network.xml.new" map-device.xml.new "$first.next" "$first.old" "$second.next" "$source"' EXIT
    write_reader "$1"
    insert "$network.xml" processnetwork "  <process name=\"$1\" source=\"$1.c\"/>" \
        "  <channel$(attribute from) to=\"$1.in\"$(attribute type)$(attribute header)$(attribute tokensize)$(attribute \
            tokenratein)$(attribute most)/>"
    insert map-device.xml mapping \
        "  <binding name=\"$1\"><process name=\"$1\"/><processor name=\"core_0\"/></binding>"
    if ! said=$("$dal" analyze --time-limit=0.1 "$network.xml.new" 2>&1 >/dev/null); then
        echo "$said" | sed "s/^$network\.xml\.new:/$network.xml:/" >&2
        fail "nothing was changed"
    fi
    replace_both "$network.xml" map-device.xml || fail "$network.xml and map-device.xml are as they were"
    source=
    echo "$1 reads$(attribute from | sed 's/ from=/ /'): its source is $1.c"
}

case $1${2+ }${2-} in
'new -h' | 'new --help') echo "$new_usage" ;;
'add -h' | 'add --help') echo "$add_usage" ;;
new*)
    [ $# -eq 2 ] || misused 'new wants one name'
    new "$2"
    ;;
*)
    [ "${2-}" = process ] && [ $# -ge 3 ] && [ $# -le 4 ] || misused 'add wants: process NAME [PROCESS.PORT]'
    case ${4-A.b} in
    *[!A-Za-z0-9_.]* | *.*.* | .* | *.) misused "'$4' is no port of a process, as A.out" ;;
    *.*) ;;
    *) misused "'$4' is no port of a process, as A.out" ;;
    esac
    add "$3" ${4+"$4"}
    ;;
esac
