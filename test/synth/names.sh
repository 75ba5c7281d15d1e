#!/usr/bin/env bash
# Names that mean something to make, to a shell, to C or to JSON: folders, sources, options,
# processes. Each builds and runs as any other, or is refused by name; none runs anything.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

architecture core_0 device >architecture.xml
mapping "* - core_0" >mapping.xml

attribute() { # TEXT: as the value of an attribute
    sed -e 's/&/\&amp;/g; s/</\&lt;/g; s/"/\&quot;/g' <<<"$1" | tr -d '\n'
}

# A process alone, which prints what it has been made of.
network() { # NAME LOCATION [CFLAGS [LIBS]]
    local options=
    [ -z "${3:-}" ] || options="cflags=\"$(attribute "$3")\""
    [ -z "${4:-}" ] || options="$options libs=\"$(attribute "$4")\""
    cat <<END_XML
<processnetwork name="$1">
  <process name="Only"><port type="input" name="in"/><port type="output" name="out"/>
    <source type="c" location="$(attribute "$2")" $options/></process>
  $(channel loop Only out Only in 'initialtokens="1"')
</processnetwork>
END_XML
}

source_text() { # what it prints, as C, and what it includes
    cat <<END_C
#include "dal.h"
${2:-}
int Only_fire(DALProcess *p)
{
    DAL_printf("%s\n", $1);
    return 1;
}
END_C
}

hostile=(
    'plain' 'with blanks' 'a#b' 'a\#b' 'back\slash' 'ends\' "it's" 'two"quotes' 'a$b' 'a$$(b)' 'a:b'
    'a%b' 'a;b' 'a&b' 'a=b' 'a*b?[c]' '~tilde' '-dash' 'größe' $'b\303d' '$(touch pwned)'
    '`touch pwned`' "';touch pwned;'" '";touch pwned;"' '|touch pwned' '$(shell touch pwned)'
    ',comma' '@at' '{a,b}' '(a)' '!a' 'a^b' '%'
)

# ---- a folder of each name, with a header beside the source; and made again when that changes

builds() { # NAME
    local folder=$work/folders/$1
    mkdir -p "$folder"
    echo '#define TEXT "first"' >"$folder/text.h"
    source_text TEXT '#include "text.h"' >"$folder/only.c"
    network hostile only.c >"$folder/network.xml"
    (cd "$folder" && "$dalsynth" -o "out$1" network.xml "$work/architecture.xml" "$work/mapping.xml") \
        >messages 2>&1 || fail "folder '$1' does not build" messages
    [ "$("$folder/out$1/hostile")" = first ] || fail "folder '$1' does not run"
    jq -e . "$folder/out$1/compile_commands.json" >messages 2>&1 || fail "folder '$1': no JSON" messages
    make -q -C "$folder/out$1" >messages 2>&1 || [ "$1" != plain ] || fail "made twice"
    echo '#define TEXT "second"' >"$folder/text.h"
    touch -d '+2 seconds' "$folder/text.h"
    make -s -C "$folder/out$1" >messages 2>&1 || fail "folder '$1' cannot be made again" messages
    [ "$("$folder/out$1/hostile")" = second ] || fail "folder '$1' is not made again"
    rm -rf "$folder"
}

command -v jq >/dev/null || jq() { :; }
export PKG_CONFIG_PATH=$DAL_BUILDDIR${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} CFLAGS=-O0
for name in "${hostile[@]}"; do
    ! is_next || builds "$name"
done

# ---- sources, headers and specifications of such names; from a folder that is not the network's

mkdir -p names/elsewhere
test_inputs=1 # others than above
for name in "${hostile[@]}"; do
    is_next || continue
    iconv -f UTF-8 <<<"$name" >messages 2>&1 || continue # XML cannot name it
    mkdir -p "names/$name"
    source_text '"as it is"' >"names/$name/$name.c"
    sed -i 's/Only_fire/only_fire/' "names/$name/$name.c"
    network hostile "$name/$name.c" | sed 's/name="Only"/name="only"/' >"names/$name.xml"
    cp mapping.xml "names/$name.map"
    (cd names/elsewhere && "$dalsynth" -o out "../$name.xml" ../../architecture.xml "../$name.map") \
        >messages 2>&1 || fail "source '$name' does not build" messages
    [ "$(names/elsewhere/out/hostile)" = "as it is" ] || fail "source '$name' does not run"
done

# ---- an error in such a folder is told with its place

mkdir 'names/er:7: ror'
source_text '0 +' >'names/er:7: ror/only.c'
network hostile 'er:7: ror/only.c' >names/error.xml
(cd names && ! "$dalsynth" -o out error.xml ../architecture.xml ../mapping.xml) >messages 2>&1 || fail "no error" messages
grep -q 'er:7: ror/only.c:5:[0-9]*: error: \[source-build\]' messages || fail "an error without its place"

# ---- what has control characters is refused, before anything is written

refused() { # WHAT CODE FILE...
    echo "$1"
    refuse "error: [$2]" "${@:3}"
}

source_text '"x"' >only.c
network hostile only.c >network.xml
newline=$'a\nall: ; touch pwned\n#'
mkdir "$newline"
cp network.xml "$newline.xml"
cp network.xml only.c "$newline"
refused "a newline in a network's name" control-character "$newline.xml" architecture.xml mapping.xml
cp mapping.xml "$newline.xml"
refused "a newline in a mapping's name" control-character network.xml architecture.xml "$newline.xml"
refused "a newline in a folder's name" control-character "$newline/network.xml" architecture.xml mapping.xml
cp only.c "$newline/only.c"
for line in 's|location="only.c"|location="a\&#10;b/only.c"|' 's|location=|cflags="-DA\&#10;-DB" &|' \
    's|location=|libs="-lm\&#13;" &|' 's|location=|cflags="-DA\&#127;" &|'; do
    sed "$line" network.xml >changed.xml
    refused "$line" control-character changed.xml architecture.xml mapping.xml
done
run 1 "$dalsynth" -o "$newline/out" network.xml architecture.xml mapping.xml
expect 'error: [control-character]' messages
(cd "$newline" && if "$dalsynth" network.xml ../architecture.xml ../mapping.xml; then exit 1; fi) \
    >messages 2>&1 || fail "a newline in the current folder's name" messages
for options in '-DA="open' "-DA='open" '-DA=\'; do
    network hostile only.c "$options" >changed.xml
    refused "$options" bad-options changed.xml architecture.xml mapping.xml
done

# ---- options: as a shell parts them, with nothing expanded, seen from the network's folder

mkdir -p 'options/in c/deep' options/lib options/sub
cd options
echo '#define IN "in"' >'in c/in.h'
echo '#define DEEP "deep"' >'in c/deep/deep.h'
echo '#define FORCED "forced"' >sub/forced.h
echo "-I'in c/deep' -DFILE_SAYS=\"file\"" >sub/flags
echo 'const char *library(void) { return "library"; }' >library.c
"${CC:-cc}" -c -o lib/library.o library.c
ar rc 'lib/libmi#ne.a' lib/library.o
cp 'lib/libmi#ne.a' lib/libplain.a
text='IN " " DEEP " " FORCED " " GIVEN, library()'
source_text "$text" '#include <in.h>
#include <deep.h>
const char *library(void);' | sed 's/%s/%s %s/' >sub/only.c
flags="-I'in c' -include sub/forced.h @sub/flags '-DGIVEN=\"a#b \$HOME \$(touch pwned) \`x\` \\\"q\"'"
read -r wanted <<'END'
in deep forced a#b $HOME $(touch pwned) `x` "q library
END
cp ../mapping.xml .
options() { # CFLAGS LIBS
    network hostile sub/only.c "$1" "$2" >network.xml
    (cd / && "$dalsynth" -o "$work/options/out" "$work/options/network.xml" \
        "$work/architecture.xml" "$work/options/mapping.xml") >messages 2>&1 || fail "options $1, $2" messages
    [ "$(out/hostile)" = "$wanted" ] || fail "options $1, $2: $(out/hostile)"
}
options "$flags" '-Wl,-rpath,/a#b -Llib -lplain -lm'
options "$flags" '-L lib -lmi#ne'
options "$flags" "'lib/libmi#ne.a'"
wanted='in deep forced given library'
options "-I 'in c' -isystem in\\ c/deep -imacros sub/forced.h -DGIVEN='\"given\"'" lib/libplain.a
network hostile sub/only.c '-DIT; touch pwned' '-lm; touch pwned' >network.xml
! "$dalsynth" -o bad network.xml ../architecture.xml mapping.xml >messages 2>&1 || fail "no option is taken" messages
cd ..

# ---- a program of two networks in folders of their own

mkdir -p two/a/inc two/a/lib two/b/inc
for name in a b; do
    echo "#define TEXT \"$name\"" >two/$name/inc/text.h
    source_text TEXT '#include <text.h>' >two/$name/only.c
    cp mapping.xml two/$name/map.xml
done
network a only.c -Iinc '-Llib -lplain lib/libplain.a' >two/a/net.xml
network b only.c '-I inc' >two/b/net.xml
cp options/lib/libplain.a two/a/lib
cat >two/fsm.xml <<'END_XML'
<fsm name="two">
  <application name="a" network="a/net.xml" mapping="a/map.xml"/>
  <application name="b" network="b/net.xml" mapping="b/map.xml"/>
  <state name="both" initial="true"><running application="a"/><running application="b"/></state>
</fsm>
END_XML
"$dalsynth" --fsm -o two/out two/fsm.xml architecture.xml >messages 2>&1 || fail "two networks" messages
[ "$(two/out/two | sort | tr -d '\n')" = ab ] || fail "two networks do not run"

# ---- a process called like what is generated beside it

{
    source_text '"fired"'
    echo 'void Only_init(DALProcess *p) { (void)p; DAL_printf("init\n"); }'
    echo 'void Only_finish(DALProcess *p) { (void)p; DAL_printf("finish\n"); }'
} | sed 's/Only/dal__unit/' >only.c
network unit only.c | sed 's/"Only"/"dal__unit"/' >network.xml
"$dalsynth" -o unit network.xml architecture.xml mapping.xml >messages 2>&1 || fail "process dal__unit" messages
[ "$(unit/unit | tr '\n' ' ')" = "init fired finish " ] || fail "process dal__unit does not run"

# ---- kernels with names of OpenCL C's functions, which a driver may have as macros

"$dalinfo" --architecture -o here.xml
if has_device here.xml; then
    printf '#include "dal.h"\nint from_fire(DALProcess *p)\n{\n    int number = 20;\n    DAL_write(PORT_out, &number, 4, p);\n    return 1;\n}\n' >from.c
    printf '#include "dal.h"\nint to_fire(DALProcess *p)\n{\n    int number;\n    DAL_read(PORT_in, &number, 4, p);\n    DAL_printf("%%d\\n", number);\n    return 0;\n}\n' >to.c
    for name in mix abs; do
        echo "__kernel void $name(__global const int *in, __global int *out) { out[get_group_id(0)] = in[get_group_id(0)] + max(3, 2); }" >$name.cl
        cat >$name.xml <<END
<processnetwork name="$name">
  <process name="from" source="from.c"/><process name="$name" source="$name.cl"/><process name="to" source="to.c"/>
  <channel from="from.out" to="$name.in" type="int"/><channel from="$name.out" to="to.in" type="int"/>
</processnetwork>
END
        mapping "* - core_0" "$name - device_0" >$name-map.xml
        "$dalsynth" -o $name $name.xml here.xml $name-map.xml >messages 2>&1 || fail "kernel $name" messages
        [ "$($name/$name)" = 23 ] || fail "kernel $name does not run"
    done
fi

# ---- names of processes, ports, channels and processors that could meet in C or as files

draw() { # SEED: a network and its mapping in folder drawn
    rm -rf drawn
    mkdir drawn
    awk -v seed="$1" '
        function pick(list,    n, parts) { n = split(list, parts, " "); return parts[1 + int(rand() * n)] }
        function word(    text) {
            text = pick(words)
            while (rand() < 0.6 && length(text) < 60)
                text = text pick("_ __ _ X x") pick(words)
            return text
        }
        function fresh(kind,    name) { # also in another case
            do name = word(); while ((kind, name) in taken)
            taken[kind, name] = 1
            return name
        }
        BEGIN {
            words = "a b c a_b b_c A a processors cores fallback ports parameters index initial " \
                    "PROCESSOR PROCESS unit cl net dal NET int main static struct DAL_read dal__unit " \
                    "init fire finish code kernel PORT TOKEN SIZE RATE BLOCK COUNT t 0 1 _2 Makefile " \
                    "run DAL_BLOCKS stdio string device cpu always out"
            keywords = "^(int|kernel|static|struct)$"
            srand(seed)
            print "<processnetwork name=\"" pick("net all clean makefile GNUmakefile always objects libs") "\">" > "drawn/net.xml"
            fixed = split("X processors_X fallback_X cores_X x dal DAL X_unit", known, " ")
            for (i = 0; i < 14; i++) {
                name = i < fixed ? known[i + 1] : fresh("process")
                if (name !~ /^[A-Za-z_]/) name = "_" name
                if (("used", name) in taken) { continue }
                taken["used", name] = 1
                in_ = i ? fresh("port" i) : "x"; out = i ? fresh("port" i) : "PORT_x"; channel = fresh("channel")
                if (in_ !~ /^[A-Za-z_]/ || in_ ~ keywords) in_ = "_" in_ # an argument is called so
                if (out !~ /^[A-Za-z_]/ || out ~ keywords) out = "_" out
                if (channel !~ /^[A-Za-z_]/) channel = "_" channel
                if (in_ == out || ("channels", channel) in taken || ("used", channel) in taken) continue
                taken["channels", channel] = 1
                taken["used", channel] = 1
                names[i] = name
                printf "<process name=\"%s\"><port type=\"input\" name=\"%s\"/>" \
                       "<port type=\"output\" name=\"%s\" blocks=\"2\"/>" \
                       "<source id=\"0\" type=\"opencl\" location=\"work%d.cl\"/>" \
                       "<source id=\"1\" type=\"portable\" location=\"work.c\"/>" \
                       "<parameter name=\"x\" value=\"1\"/></process>\n", name, in_, out, i > "drawn/net.xml"
                printf "__kernel void work(__global const int *%s, __global int *%s)\n{\n}\n", in_, out > "drawn/work" i ".cl"
                printf "<sw_channel name=\"%s\" tokensize=\"4\" tokenratein=\"2\" tokenrateout=\"2\" " \
                       "initialtokens=\"2\" value=\"01020304\">" \
                       "<port type=\"input\" name=\"in\"/><port type=\"output\" name=\"out\"/>" \
                       "</sw_channel>\n", channel > "drawn/net.xml"
                printf "<connection name=\"k%d\"><origin name=\"%s\"><port name=\"%s\"/></origin>" \
                       "<target name=\"%s\"><port name=\"in\"/></target></connection>\n", i, name, out, channel > "drawn/net.xml"
                printf "<connection name=\"l%d\"><origin name=\"%s\"><port name=\"out\"/></origin>" \
                       "<target name=\"%s\"><port name=\"%s\"/></target></connection>\n", i, channel, name, in_ > "drawn/net.xml"
                device = i < fixed || rand() < 0.5
                bind = bind sprintf("<binding name=\"b%d\"><process name=\"%s\"/><processor name=\"%s\"/>%s</binding>\n",
                                    i, name, device ? "core" : "core_device",
                                    device ? "<fallback sourceid=\"1\" processor=\"core\"/>" : "")
            }
            print "</processnetwork>" > "drawn/net.xml"
            print "<mapping name=\"m\">" bind "</mapping>" > "drawn/map.xml"
        }'
    cat >drawn/arch.xml <<'END_XML'
<architecture name="one">
  <processor name="core" type="RISC"><capability name="POSIX" identifier="0"/><capability name="OPENCL" identifier="CPU_DEV1"/></processor>
  <processor name="core_device" type="RISC"><capability name="POSIX" identifier="1"/></processor>
  <processor name="core-device" type="RISC"><capability name="POSIX" identifier="2"/></processor>
</architecture>
END_XML
    printf '#include "dal.h"\nint work_fire(DALProcess *p)\n{\n    (void)p;\n    return 0;\n}\n' >drawn/work.c
}

for seed in $(seq 1 "${NAMES_ROUNDS:-4}"); do
    draw "$seed"
    "$dalsynth" --emit-only -o drawn/out drawn/net.xml drawn/arch.xml drawn/map.xml >messages 2>&1 ||
        fail "seed $seed is refused" messages
    [ -z "$(cd drawn/out && find . -type f | tr '[:upper:]' '[:lower:]' | sort | uniq -d)" ] ||
        fail "seed $seed: files that differ by case alone"
    make -s -j2 -C drawn/out CFLAGS='-O0 -Werror' >messages 2>&1 || fail "seed $seed does not build" messages
done

[ -z "$(find . -name pwned)" ] || fail "something was run: $(find . -name pwned)"
