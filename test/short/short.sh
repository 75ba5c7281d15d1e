#!/usr/bin/env bash
# The short form of networks: what it expands to, what it refuses, and types of tokens.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

# expanded FILE: what --expand prints of it goes to `long`.
expanded() {
    run 0 "$dalsynth" --expand "$1"
    cp output long
}

# Without comments and empty lines.
lines() {
    sed -e ':a' -e 's/<!--.*-->//' -e '/<!--/{N;ba}' "$1" | grep -c '[^ ]'
}

network() { # NAME, elements on standard input
    { echo '<processnetwork name="net">' && cat && echo '</processnetwork>'; } >"$1.xml"
}

# ---- what is shipped -------------------------------------------------------------------------------------------------

# The long forms that were are in `input`. Lines that may not be more, of some.
for network in hello/hello:12 mjpeg/mjpeg:60 mjpeg/filters:30 scenario/edges:15 scenario/smooth:15 stencil/stencil:30 \
    synthetic/activation synthetic/channel synthetic/echo synthetic/nodes synthetic/overhead synthetic/relay; do
    name=${network%:*}
    short=$source/apps/$name.xml
    expanded "$input/${name#*/}.xml"
    mv long wanted
    expanded "$short"
    cmp long wanted || fail "$name in its short form is another" <(diff long wanted)
    grep -q '<channel ' "$short" || fail "$name is not in its short form"
    ! grep -qE '<sw_channel|<connection' "$short" || fail "$name is long in part"
    ! grep -qE '<channel |source="' long || fail "$name is still short"
    most=${network#"$name"}
    [ -z "$most" ] || [ "$(lines "$short")" -le "${most#:}" ] || fail "$name has $(lines "$short") lines"
done

# ---- how it is written -------------------------------------------------------------------------------------------------

# In any encoding that is read, with the line ends of others, and comments in all places.
cat >plain.xml <<'EOF'
<?xml version="1.0" encoding="UTF-8"?>
<!-- before -->
<d:processnetwork xmlns:d="http://www.tik.ee.ethz.ch/~euretile/schema/PROCESSNETWORK" name="net">
  <d:process name="A"><!-- of A --><d:port type="output" name="o"/><d:source type="c" location="a.c" cflags="-DX=&quot;&#233;&amp;&lt;&quot;"/></d:process>
  <d:process name="B"><d:port type="input" name="i"/><d:source type="c" location="b.c"/></d:process><!-- behind B -->
  <d:sw_channel type="fifo" size="4" tokensize="4" name="c"><d:port type="input" name="0"/><!-- of c --><d:port type="output" name="1"/></d:sw_channel>
  <d:connection name="x"><d:origin name="A"><d:port name="o"/></d:origin><d:target name="c"><d:port name="0"/></d:target></d:connection>
  <d:connection name="y"><d:origin name="c"><d:port name="1"/></d:origin><d:target name="B"><d:port name="i"/></d:target></d:connection>
</d:processnetwork>
<!-- after -->
EOF
for form in expand shorten; do
    run 0 "$dalsynth" --$form plain.xml
    cp output wanted
    for text in before 'of A' 'behind B' 'of c' after 'X=&quot;é&amp;&lt;&quot;'; do
        expect "$text" wanted
    done
    for encoding in UTF-16 UTF-16LE UTF-16BE ISO-8859-1; do
        sed "s/UTF-8/${encoding%[LB]E}/" plain.xml | iconv -f UTF-8 -t $encoding >written.xml
        run 0 "$dalsynth" --$form written.xml
        cmp wanted output || fail "--$form of $encoding is another" output
    done
    { printf '\357\273\277' && sed 's/$/\r/' plain.xml; } >written.xml
    run 0 "$dalsynth" --$form written.xml
    cmp wanted output || fail "--$form with other line ends is another" output
done

# Comments in a short channel, there and back.
network remarks <<'EOF'
  <process name="A" source="a.c"><!-- of A --></process>
  <process name="B[1]" source="b.c"/>
  <channel name="c[2]" from="A.o[3]" to="B[1].i" size="4" tokensize="4"><!-- of c --></channel>
  <channel name="d" from="A.p" to="B[1].j" size="4" tokensize="4">
    <!-- of d -->
  </channel>
  <channel name="e" from="A.q" to="B[1].k" size="4" tokensize="4"><?tool of e?></channel>
EOF
expanded remarks.xml
for text in '<!-- of A -->' '<!-- of c -->' '<!-- of d -->' '<?tool of e?>'; do
    expect "$text" long
done
mv long wanted
run 0 "$dalsynth" --shorten wanted
for text in 'to="B\[1\].i" size="4" tokensize="4">' 'to="B\[1\].j" size="4" tokensize="4">' '<!-- of c -->' '<!-- of d -->' '<?tool of e?>'; do
    grep -q -e "$text" output || fail "the short form has no $text" output
done
cp output remarks.xml
expanded remarks.xml
cmp wanted long || fail "with comments, the short form is another" long

# ---- sources ---------------------------------------------------------------------------------------------------------

network sources <<'EOF'
  <process name="A" source="a.c b.cl portable:c.c c++:d.c c:e.x" files="one.c two.cpp" files.cxx="" cflags="-O2" cflags.opencl=""
           dataparallelism="4" dataparallelism.portable="auto" libs="-lm" pkgs="zlib" contraction.portable="on" include="inc"/>
EOF
PKG_CONFIG=/bin/false expanded sources.xml
cat >wanted <<'EOF'
    <source id="0" type="c" location="a.c" cflags="-O2" libs="-lm" include="inc" pkgs="zlib">
      <file location="one.c"/>
      <file location="two.cpp"/>
    </source>
    <source id="1" type="opencl" location="b.cl" dataparallelism="4" include="inc"/>
    <source id="2" type="portable" location="c.c" dataparallelism="auto" cflags="-O2" libs="-lm" include="inc" contraction="on"/>
    <source id="3" type="c++" location="d.c" cflags="-O2" libs="-lm" include="inc" pkgs="zlib"/>
    <source id="4" type="c" location="e.x" cflags="-O2" libs="-lm" include="inc" pkgs="zlib">
      <file location="one.c"/>
      <file location="two.cpp"/>
    </source>
EOF
sed -n '/<source/,/<.process>/p' long | grep -v '</process>' | cmp - wanted || fail 'other sources' long
run 0 "$dalsynth" --shorten sources.xml
expect ' source="a.c b.cl portable:c.c c++:d.c c:e.x" files.c="one.c two.cpp" dataparallelism="4" dataparallelism.portable="auto"' \
    output

# ---- iterators -------------------------------------------------------------------------------------------------------

network ring <<'EOF'
  <variable name="n" value="3"/>
  <process name="Split" source="a.c"/>
  <iterator variable="i" range="n">
    <process name="Work[i]" source="a.c b.cl"/>
  </iterator>
  <process name="Join" source="a.cpp" pkgs="zlib"/>
  <iterator variable="i" range="n">
    <channel from="Split.out[i]" to="Work[i].in" tokensize="8" tokenratein="2"/>
    <channel name="done[i]" from="Work[i].out" to="Join.in[i]" type="float[2*n]" ports="x y"/>
  </iterator>
  <channel from="Split.out[n]" to="Join.first" tokensize="8" tokenratein="2"/>
EOF
PKG_CONFIG=/bin/false run 0 "$dalsynth" --analyze=json ring.xml
for name in '"Split.out-Work.in_2"' '"done_1"' '"Split.out-Join.first"'; do
    expect "$name" output
done
expanded ring.xml
expect '<source id="0" type="c++" location="a.cpp" pkgs="zlib"/>' long
expect '<sw_channel type="fifo" name="done" tokentype="float[2*n]">' long
expect '<connection name="done_Join">' long
[ "$(grep -c '<iterator variable="i" range="n">' long)" -eq 4 ] || fail 'two iterators of ports' long

# Processes of one name that are written one by one: each gets the ports of its own channels.
network single <<'EOF'
  <process name="A[0]" source="a.c"/>
  <iterator variable="i" range="3">
    <process name="A[i+1]" source="a.c"/>
  </iterator>
  <process name="A[4]" source="a.c"/>
  <process name="B" source="a.c"/>
  <channel from="A[0].first" to="B.x" tokensize="4"/>
  <iterator variable="i" range="3">
    <channel from="A[i+1].middle" to="B.y[i]" tokensize="4"/>
  </iterator>
  <channel from="A[4].last" to="B.z" tokensize="4"/>
EOF
expanded single.xml
sed -n 's/.*<append function="\(.*\)".*/\1/p; s/.*<port type="output" name="\(.*\)".*/\1/p; /name="B"/q' long |
    tr '\n' ' ' >wanted
[ "$(cat wanted)" = '0 first i+1 middle 4 last ' ] || fail 'ports at another process' long
run 0 "$dalsynth" --analyze single.xml

# Channels with the same ends but for numbers in brackets: these are in their names. Otherwise the names stay short.
network ends <<'EOF'
  <process name="A[0]" source="a.c"/>
  <process name="A[1]" source="a.c"/>
  <process name="B" source="a.c"/>
  <channel from="A[0].o[0]" to="B.i[0]" tokensize="4"/>
  <channel from="A[1].o[0]" to="B.i[1]" tokensize="4"/>
  <channel from="A[1].p[7]" to="B.k" tokensize="4"/>
  <channel from="B.o[3]" to="A[0].back" tokensize="4" name="mine" initialtokens="1"/>
  <channel from="B.o[4]" to="A[1].back" tokensize="4" initialtokens="1"/>
  <iterator variable="i" range="2">
    <process name="D[i]" source="a.c"/>
    <channel from="D[i].q[0]" to="B.q[i]" tokensize="4"/>
    <channel from="D[i].q[1]" to="B.q[i+2]" tokensize="4"/>
  </iterator>
EOF
expanded ends.xml
sed -n 's/.*<sw_channel .*name="\([^"]*\)".*/\1/p' long | tr '\n' ' ' >wanted
[ "$(cat wanted)" = 'A_0.o_0-B.i_0 A_1.o_0-B.i_1 A.p-B.k mine B.o-A.back D.q_0-B.q D.q_1-B.q ' ] ||
    fail 'names of channels with the same ends' wanted
run 0 "$dalsynth" --analyze ends.xml

# ---- errors name the short element -----------------------------------------------------------------------------------

# wrong TEXT CHANNEL...: a network with these channels in line 4 and on is refused with this.
wrong() {
    local text=$1
    shift
    {
        echo '<processnetwork name="net"><process name="A" source="a.c"/>'
        echo '<process name="B" source="a.c"/><process name="C" source="a.c"/>'
        echo '<iterator variable="i" range="2"><process name="D[i]" source="a.c"/></iterator>'
        printf '%s\n' "$@"
        echo '</processnetwork>'
    } >wrong.xml
    refuse "$text" --check wrong.xml arch.xml map.xml
    expect "wrong.xml:$line:" messages
}
touch a.c frame.h
"$dalinfo" --architecture -o arch.xml >/dev/null
echo '<mapping name="m"><binding name="a"><process name="*"/><processor name="core_0"/></binding></mapping>' >map.xml
line=4
wrong 'the network has no port of this name; of a process, it is PROCESS.PORT' '<channel from="A" to="B.in"/>'
wrong 'this must be a process and its port, as A.out' '<channel from="A.b.c" to="B.in"/>'
wrong "this must be a process and its port, as A.out" '<channel from="A.out" to="B[].in"/>'
wrong "there is no process 'X'" '<channel from="X.out" to="B.in"/>'
wrong "there is no process 'A[1]'; did you mean 'A'?" '<channel from="A[1].out" to="B.in"/>'
wrong "there is no process 'D'; did you mean 'D[i]'?" '<channel from="D.out" to="B.in"/>'
work='<process name="Work[k]" source="a.c"/>'
wrong "there is no process 'Wrok[0]'; did you mean 'Work[k]'?" "$work" '<channel from="A.out" to="Wrok[0].in"/>'
wrong "process 'Work[k]': there is no variable 'k'; an iterator around it gives one" "$work<channel from=\"A.out\" to=\"Work[0].in\"/>"
wrong "'rate' is not allowed" '<channel from="A.out" to="B.in" rate="4"/>'
! grep 'did you mean' messages || fail "a hint that is not near" messages
for words in 'tokentype type' 'capacity size' 'origin from'; do
    wrong "'${words% *}' is not allowed; did you mean '${words#* }'?" "<channel from=\"A.out\" to=\"B.in\" ${words% *}=\"4\"/>"
done
wrong 'an input port is needed' '<channel from="A.out" to="A.out"/>'
wrong "'i' is an index of process 'D' and of its port 'out'" \
    '<iterator variable="i" range="2"><channel from="D[i].out[i]" to="B.in[i]"/></iterator>'
wrong "missing" '<channel from="A.out"/>'
wrong "type 'frame' is none that is known" '<channel from="A.out" to="B.in" type="frame" tokensize="4"/>'
wrong "its type 'frame' is not in its header" '<channel from="A.out" to="B.in" type="frame" header="frame.h"/>'
wrong "header 'none.h': No such file" '<channel from="A.out" to="B.in" type="frame" header="none.h" tokensize="4"/>'
wrong 'a header means nothing without a type' '<channel from="A.out" to="B.in" header="frame.h" tokensize="4"/>'
wrong 'tokensize is 3, and a token of its type has 8' '<channel from="A.out" to="B.in" type="int[2]" tokensize="3"/>'
wrong "this must be a type of C" '<channel from="A.out" to="B.in" type="char; x" tokensize="3"/>'
wrong "value: '300' is no uint8_t" '<channel from="A.out" to="B.in" type="uint8_t" value="uint8_t: 300"/>'
wrong "value: '1e39' is no float" '<channel from="A.out" to="B.in" type="float" value="float: 1e39 1"/>'
wrong "value: no value is given behind its type, float" '<channel from="A.out" to="B.in" type="float" value="float:"/>'
for value in 1e400 3.5e38 -1e39; do
    wrong "value: '$value' is no float" "<process name=\"E\" source=\"a.c\"><constant name=\"c\" value=\"float: $value\"/></process>"
done
wrong "constant 'c': value: no value is given behind its type, float" \
    '<process name="E" source="a.c"><constant name="c" value="float:"/></process>'
sed 's/float:/float: inf -inf nan/' wrong.xml >values.xml
run 0 "$dalsynth" --analyze values.xml
wrong "value: '1.5' is no int" '<channel from="A.out" to="B.in" type="int" value="int: 1.5"/>'
wrong "value: 'double[2]' is no type" '<channel from="A.out" to="B.in" type="int" value="double[2]: 1"/>'
wrong 'no whole number of tokens' '<channel from="A.out" to="B.in" type="int[2]" value="int: 1"/>'
line=5
wrong 'is connected already' '<channel from="A.out" to="B.in"/>' '<channel from="C.out" to="B.in"/>'
line=1
for attribute in 'pkgs.opencl="zlib"' 'files.cxx="b.c"' 'dataparallelism="4"' 'contraction="maybe"' 'cflags.fortran="x"'; do
    sed "s/<process name=\"A\"/& $attribute/" wrong.xml >other.xml
    run 1 "$dalsynth" --expand other.xml
    expect 'other.xml:1:' messages
done
sed 's/source="a.c"/source="a.f"/' wrong.xml >other.xml
mv other.xml wrong.xml
refuse 'the name must end in .c, .cl, .cu, .py, or for C++' --check wrong.xml arch.xml map.xml
expect 'wrong.xml:1:' messages

# All problems are told in one run, and none that comes of what was refused.
all() { # CODE...: of these lines, each of which has one
    { echo '<processnetwork name="net">' && cat && echo '</processnetwork>'; } >all.xml
    run 1 "$dalsynth" --check all.xml arch.xml map.xml
    sed -nE 's/^all.xml:[0-9]*: error: \[([^]]*)\].*/\1/p' messages | sort >found
    printf '%s\n' "$@" | sort | cmp -s - found || fail "not these errors: $*" messages
}
all duplicate-name duplicate-name <<'EOF'
<process name="Src" source="a.c"/>
<process name="Sink" source="a.c"/>
<process name="More" source="a.c"/>
<channel from="Src.out" to="Sink.in"/>
<channel from="Src.out" to="Sink.in"/>
<channel from="Src.out" to="More.in" name="Src.out-Sink.in"/>
EOF
all unknown-process duplicate-name token-type size-zero token-size-zero missing-source-file <<'EOF'
<process name="Src" source="a.c none.c"/>
<process name="Sink" source="a.c"/>
<process name="Sink" source="a.c"/>
<channel from="Src.out" to="Sinc.in" type="integer" size="0"/>
<channel from="Src.more" to="Sink.more" tokensize="0"/>
EOF
all source-file unknown-port token-size-zero <<'EOF'
<process name="Src" source="a.f"/>
<channel from="Src.out" to="outer" tokensize="0"/>
EOF
indices=$(printf '[0]%.0s' {1..17})
all bad-name source-file token-size-zero <<EOF
<process name="Odd$indices" source="a.c"/>
<process name="Src" source="a.f"/>
<channel from="Src.out" to="Odd[0].in" tokensize="0"/>
EOF

# ---- types and values in a program -----------------------------------------------------------------------------------

mkdir sources
cat >pair.h <<'EOF'
#ifndef PAIR_H
#define PAIR_H
struct pair {
    double a;
    float b[N];
};
#endif
EOF
cat >sources/A.c <<'EOF'
#include "dal.h"
int A_fire(DALProcess *p)
{
    float x;
    struct { double a; float b[N]; } pair = {1, {2}};
    DAL_READ_TOKEN(back, &x, p);
    DAL_printf("%g\n", x);
    pair.b[0] = x;
    DAL_WRITE_TOKEN(out, &pair, p);
    return x > 3;
}
EOF
cat >sources/B.cpp <<'EOF'
#include "dal.h"
#include "../pair.h"
int B_fire(DALProcess *p)
{
    pair x;
    float y;
    DAL_READ_TOKEN(in, &x, p);
    y = x.b[0] + 1;
    DAL_WRITE_TOKEN(back, &y, p);
    return 0;
}
EOF
network typed <<'EOF'
  <process name="A" source="sources/A.c" cflags="-DN=2"/>
  <process name="B" source="sources/B.cpp" cflags="-DN=2"/>
  <channel from="A.out" to="B.in" type="struct pair" header="pair.h"/>
  <channel from="B.back" to="A.back" type="float" value="float: 1.5 -2.25 1e-1"/>
EOF
if command -v "${CXX:-c++}" >/dev/null; then
    synthesise -o program typed.xml arch.xml map.xml
    run 0 program/net
    [ "$(tr '\n' ' ' <output)" = '1.5 -2.25 0.1 2.5 -1.25 1.1 3.5 ' ] || fail 'other numbers' output
    # The compiler looks as well: a source with other options is an error at the line of the channel.
    sed '/name="B"/s/N=2/N=4/' typed.xml >other.xml
    refuse 'other.xml:4:' other.xml arch.xml map.xml
    expect 'sw_channel A.out-B.in: a token of type struct pair has another size than 16 bytes' messages
fi

# ---- sizes are found -------------------------------------------------------------------------------------------------

cat >types.h <<'EOF'
#ifndef TYPES_H
#define TYPES_H
#include <dal.h>
struct opaque;
struct text {
    int length;
    char text[];
};
typedef struct {
    unsigned char c[SIZE];
} colour;
typedef double pair[2];
typedef void function(int);
#ifdef __cplusplus
struct derived : colour {
    virtual void f();
};
#endif
#endif
EOF
touch a.cpp a.cl

sized() { # ATTRIBUTES [SOURCE OF A]
    network sized <<EOF
  <process name="A" source="${2-a.c}" cflags="-DSIZE=3"/>
  <process name="B" source="a.c" cflags="-DSIZE=5"/>
  <channel from="A.out" to="B.in" header="types.h" $1/>
EOF
}
missized() { # TEXT ATTRIBUTES [SOURCE OF A]
    sized "${@:2}"
    refuse "$1" --check sized.xml arch.xml map.xml
    expect 'sized.xml:4: error: [token-type] sw_channel' messages
}
# As the source at the input is compiled, else the one at the output.
for given in '' 'tokensize="6"'; do
    sized "type=\"colour[2]\" $given"
    run 0 "$dalsynth" --analyze sized.xml
done
missized 'has 3 bytes' 'type="colour" tokensize="4"'
missized 'has 48 bytes' 'type="pair[3]" tokensize="4"'
missized 'has 16 bytes' 'type="struct derived" tokensize="4"' a.cpp
missized "'struct derived' is not in its header" 'type="struct derived" tokensize="4"'
missized 'has 5 bytes' 'type="colour" tokensize="4"' a.cl
missized 'is incomplete' 'type="struct opaque"'
missized "'struct none' is not in its header" 'type="struct none"'
missized "'none' is not in its header" 'type="none" tokensize="4"'
missized "ends in an array without a size, 'text'" 'type="struct text" tokensize="4"'
missized "is a function's" 'type="function"'
missized 'is incomplete' 'type="void"'
missized 'more than 2^31 bytes' 'type="pair[1000000000]"'
sed -i '3i#include "nowhere.h"' types.h
missized "types.h:3: 'nowhere.h' file not found; or give tokensize" 'type="colour"'
sed -i 3d types.h

# ---- kernels -----------------------------------------------------------------------------------------------------------

cat >tokens.h <<'EOF'
#ifndef TOKENS_H
#define TOKENS_H
struct point {
    float x, y;
};
struct mixed {
    char tag;
    int n;
    double w[2];
    struct point p[3];
};
struct moved {
    int n;
    char tag;
    double w[2];
    struct point p[3];
};
struct packed {
    char tag;
    int n;
    double w[2];
    struct point p[3];
} __attribute__((packed));
struct address {
    int n;
    const char *text;
};
#ifndef __OPENCL_VERSION__
#include <stddef.h>
typedef size_t length;
struct sized {
    length n;
};
struct flag {
    _Bool set;
};
struct bits {
    unsigned a : 3;
};
struct wide {
    long double x;
};
#endif
#endif
EOF
for name in A C; do
    printf '#include "dal.h"\nint %s_fire(DALProcess *p)\n{\n    return 1;\n}\n' $name >$name.c
done
cat >device.xml <<'EOF'
<mapping name="m">
  <binding name="a"><process name="A"/><processor name="core_0"/></binding>
  <binding name="b"><process name="B"/><processor name="device_0"/></binding>
  <binding name="c"><process name="C"/><processor name="core_0"/></binding>
</mapping>
EOF
cat >kernel.xml <<'EOF'
<architecture name="one">
  <processor name="core_0" type="RISC"><capability name="POSIX" identifier="0"/></processor>
  <processor name="device_0" type="GPU"><capability name="OPENCL" identifier="GPU_4318_Fast_DEV1"/></processor>
</architecture>
EOF

tokens() { # TYPE OF THE CHANNEL, OF THE ARGUMENT
    local header=
    case $1 in struct*) header='header="tokens.h"' ;; esac
    network tokens <<EOF
  <process name="A" source="A.c"/>
  <process name="B" source="B.cl"/>
  <process name="C" source="C.c"/>
  <channel from="A.out" to="B.in" type="$1" $header/>
  <channel from="B.out" to="C.in" type="int" blocks="1"/>
EOF
    printf '#include "tokens.h"\n__kernel void B(__global const %s *in, __global int *out)\n{\n    out[get_group_id(0)] = 1;\n}\n' "$2" >B.cl
}
taken() {
    tokens "$@"
    run 0 "$dalsynth" --check tokens.xml kernel.xml device.xml
}
untaken() { # TEXT PLACE TYPES
    tokens "${@:3}"
    refuse "$1" --check tokens.xml kernel.xml device.xml
    expect "$2: error: [token-type]" messages
}
for pair in 'struct mixed:struct mixed' 'struct mixed[2]:struct mixed' 'struct mixed:uchar' 'struct point:float' \
    'struct point:float2' 'struct point[2]:float4' 'float[4]:float4' 'float[4]:struct point' 'int:uint' 'long:long' \
    'uint8_t[8]:int' 'double:double'; do
    taken "${pair%:*}" "${pair#*:}"
done

# Without a type, a firing's window is a whole number of what an argument points to: a float3 has the size of a float4.
windows() { # TYPE OF THE ARGUMENT, TOKENSIZE, RATE
    tokens int "$1"
    sed -i "/B.in/s/type=\"int\"/tokensize=\"$2\" tokenrateout=\"$3\"/" tokens.xml
    sed -i 's/#include "tokens.h"/typedef float3 triple; struct of3 { float3 a; int n; }; struct five { int n[5]; };/' B.cl
}
while read -r size rate type; do
    windows "$type" "$size" "$rate"
    run 0 "$dalsynth" --check tokens.xml kernel.xml device.xml
done <<END_WINDOWS
16 1 float3
12 4 float4
4 8 int8
7 1 uchar
32 1 struct of3
4 5 struct five
3 1 void
1 64 int16
END_WINDOWS
while read -r size rate bytes type; do
    windows "$type" "$size" "$rate"
    refuse "points to a type of $bytes bytes, and the $((size * rate)) bytes that a firing has of sw_channel" \
        --check tokens.xml kernel.xml device.xml
    expect "B.cl:2:" messages
done <<END_WINDOWS
12 1 16 float3
4 1 32 int8
20 1 16 int4
24 1 32 double3
64 1 128 long16
12 3 16 triple
28 1 32 struct of3
16 1 20 struct five
12 2 16 float3
END_WINDOWS
# Elements that begin within tokens: with a vector of three that is never meant.
for type in float3 triple; do
    windows $type 12 4
    refuse "points to a type of 16 bytes, and the 12 bytes of a token of sw_channel 'A.out-B.in' are no multiple" \
        --check tokens.xml kernel.xml device.xml
    expect "B.cl:2:" messages
    expect "vload3 and vstore3 move three" messages
done
for case in 12:4:float4 20:4:int4 28:8:'struct of3' 12:4:float; do
    IFS=: read -r size rate type <<<"$case"
    windows "$type" "$size" "$rate"
    run 0 "$dalsynth" --check tokens.xml kernel.xml device.xml
    if [ "$type" = float ]; then
        [ ! -s messages ] || fail "a warning of single numbers" messages
    else
        expect "warning: [token-type] process 'B', kernel 'B': argument 'in' points to a type of" messages
    fi
done

# Initial tokens may leave no place where the windows of both ends are aligned.
shifted() { # INITIAL TOKENS, RATE OF THE READER
    tokens int int
    sed -i "/B.out/s/type=\"int\"/tokensize=\"4\" tokenratein=\"4\" tokenrateout=\"$2\" initialtokens=\"$1\"/" tokens.xml
    sed -i 's/#include "tokens.h"//; s/int \*out/float4 *out/' B.cl
}
for case in 0:4 4:4 8:4 4:8 2:2 1:1 12:6; do
    shifted "${case%:*}" "${case#*:}"
    run 0 "$dalsynth" --check tokens.xml kernel.xml device.xml
done
for case in 1:4 2:4 2:8 5:4; do
    shifted "${case%:*}" "${case#*:}"
    refuse "begin behind ${case%:*} initial tokens" --check tokens.xml kernel.xml device.xml
    expect "B.cl:2:58: error: [token-type]" messages
done
untaken "has 'n' (int) of 4 bytes at byte 0 where a token" B.cl:2:46 'struct mixed' 'struct moved'
untaken "has 'n' (int) of 4 bytes at byte 1 where a token" B.cl:2:47 'struct mixed' 'struct packed'
untaken "has 'tag' (char) of 1 bytes at byte 0" B.cl:2:39 'struct mixed' float
untaken 'is of a type of 16 bytes' B.cl:2:40 'struct point' float4
untaken 'is of a type of 4 bytes' B.cl:2:37 'uint8_t[6]' int
untaken 'has int of 4 bytes where a token' B.cl:2:37 float int
untaken 'has int of 4 bytes where a token' B.cl:2:37 long int
untaken "member 'text' of 'struct address' (const char *) is an address" tokens.xml:5 'struct address' uchar
untaken "member 'n' of 'struct sized' (length) is an address" tokens.xml:5 'struct sized' ulong
untaken "member 'set' of 'struct flag' (_Bool) is a bool" tokens.xml:5 'struct flag' uchar
untaken "member 'a' of 'struct bits' (unsigned int) is a bit-field" tokens.xml:5 'struct bits' uchar
untaken "member 'x' of 'struct wide' (long double) is of a type" tokens.xml:5 'struct wide' uchar
untaken "a value of 'size_t' (size_t) is an address" tokens.xml:5 size_t ulong

# A portable source, on whatever it runs.
cat >B.c <<'EOF'
#include "dal.h"
#include "tokens.h"
int B_fire(DALProcess *p)
{
    DAL_WINDOW const TYPE *in = DAL_READ_TOKENS(TYPE, in, TOKEN_in_RATE, p);
    DAL_foreach (blk : PORT_out) {
        DAL_WINDOW int *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, BLOCK_out_SIZE, blk, p);
        out[0] = (int)in->N;
        DAL_write_end(PORT_out, out, p);
    }
    DAL_read_end(PORT_in, in, p);
    return 0;
}
EOF
portable() { # TYPE MEMBER
    tokens "$1" uchar
    sed "s/B.cl\"/portable:B.c\" cflags=\"'-DTYPE=$1' -DN=$2\"/" tokens.xml >B.xml
}
for on in device.xml map.xml; do
    portable 'struct mixed' tag
    run 0 "$dalsynth" --check B.xml kernel.xml $on
    portable 'struct address' n
    refuse "member 'text' of 'struct address' (const char *) is an address" --check B.xml kernel.xml $on
done
# A structure that is another one on a device.
sed -i 's/^    int n;$/#ifdef __OPENCL_VERSION__\n    long n;\n#else\n    int n;\n#endif/' tokens.h
portable 'struct mixed' tag
refuse "portable source 'B.c': port 'in' has 'n' (long) of 8 bytes at byte 8" --check B.xml kernel.xml device.xml
