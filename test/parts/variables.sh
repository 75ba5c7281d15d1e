#!/usr/bin/env bash
# Typed variables of parts, as programs see them: types, numbers and texts of any characters, in a process and in a kernel's host.
# Two uses with other values are two. The flat network has the same, through its cflags, a shell and make.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1

mkdir part
cat >part/scale.xml <<'END'
<processnetwork name="scale">
  <variable name="type" type="name" value="double" values="float double int64_t"/>
  <variable name="by" type="real" value="0.1"/>
  <variable name="word" type="text" value=""/>
  <port type="input" name="in" tokentype="type"/>
  <port type="output" name="out" tokentype="type"/>
  <process name="Scale" source="scale.c"><parameter name="word" value="${word}"/><parameter name="by" value="${by}"/></process>
  <channel from="in" to="Scale.in"/>
  <channel from="Scale.out" to="out"/>
</processnetwork>
END
cat >part/scale.c <<'END'
#include "dal.h"

#include <string.h>

int Scale_fire(DALProcess *p)
{
    VAR_type x;
    double by;

    DAL_READ_TOKEN(in, &x, p);
    DAL_getParameterDouble("by", &by, p);
    if (by != VAR_by || strcmp(VAR_word, DAL_getParameter("word", p)) != 0) {
        DAL_fail(p, "the parameters are other ones");
        return 1;
    }
    x = (VAR_type)(x * VAR_by);
    DAL_WRITE_TOKEN(out, &x, p);
    return 0;
}
END
cat >source.c <<'END'
#include "dal.h"

int Source_fire(DALProcess *p)
{
    float a = 3;
    int64_t b = 10;
    double c = 0.7;

    DAL_WRITE_TOKEN(a, &a, p);
    DAL_WRITE_TOKEN(b, &b, p);
    DAL_WRITE_TOKEN(c, &c, p);
    return 1;
}
END
cat >sink.c <<'END'
#include "dal.h"

int Sink_fire(DALProcess *p)
{
    float a;
    int64_t b;
    double c;

    DAL_READ_TOKEN(a, &a, p);
    DAL_READ_TOKEN(b, &b, p);
    DAL_READ_TOKEN(c, &c, p);
    DAL_printf("%.9g %lld %.17g %s\n", a, (long long)b, c, VAR_word);
    return 0;
}
END
cat >typed.xml <<'END'
<processnetwork name="typed">
  <variable name="word" type="text" value="it's &quot;a\b&quot; $HOME `c` #1 %d ?? ü &lt;&amp;>"/>
  <variable name="half" type="real" value="-0.5"/>
  <process name="Source" source="source.c"/>
  <network name="A" source="part/scale.xml" type="float" by="1e-3" word="${word}"/>
  <network name="B" source="part/scale.xml" type="int64_t" by="half" word="   "/>
  <network name="C" source="part/scale.xml"/>
  <process name="Sink" source="sink.c"/>
  <channel from="Source.a" to="A.in" type="float"/>
  <channel from="Source.b" to="B.in" type="int64_t"/>
  <channel from="Source.c" to="C.in" type="double"/>
  <channel from="A.out" to="Sink.a" type="float"/>
  <channel from="B.out" to="Sink.b" type="int64_t"/>
  <channel from="C.out" to="Sink.c" type="double"/>
</processnetwork>
END
# shellcheck disable=SC2016 # nothing of it is a shell's
word='it'\''s "a\b" $HOME `c` #1 %d ?? ü <&>'
synthesise -o typed typed.xml
run 0 typed/typed
[ "$(cat output)" = "0.00300000003 -5 0.069999999999999993 $word" ] || fail "other values" output

"$dalsynth" --expand typed.xml >flat.xml
synthesise -o flat flat.xml
cp output wanted
run 0 flat/typed
cmp output wanted || fail "the flat network has other values" output wanted

# Another value is another program, and a name is not taken for it.
synthesise -o other -D half=0.25 -D word=other typed.xml
run 0 other/typed
[ "$(cat output)" = "0.00300000003 2 0.069999999999999993 other" ] || fail "-D has other values" output
"$dalsynth" --expand -D half=0.25 -D word=other typed.xml >flat.xml
synthesise -o flat-other flat.xml
cp output wanted
run 0 flat-other/typed
cmp output wanted || fail "the flat network has not the values of -D" output wanted
run 1 "$dalsynth" --expand -D much=1 typed.xml
expect "-D much: the network has no such variable" messages
run 1 "$dalsynth" --expand -D factor=1 part/scale.xml
expect "[open-port] a network with open ports keeps its variables, so it takes no -D" messages
run 0 "$dalsynth" --check --verify=typed/typed typed.xml
run 1 "$dalsynth" --check --verify=typed/typed -D word=other typed.xml
refuse "-D half: 'much' is no number" -D half=much typed.xml
refuse "-D hal: the network has no such variable; did you mean 'half'?" -D hal=1 typed.xml

# What the C of a part does with a name that does not fit is told by its compiler, with the place.
sed 's/values="float double int64_t"//' part/scale.xml >part/free.xml
sed 's/scale.xml" type="float"/free.xml" type="flaot"/' typed.xml >wrong.xml
refuse "type 'flaot' is none that is known" wrong.xml
