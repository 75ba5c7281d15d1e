#!/usr/bin/env bash
# dal:asrc.xml follows a clock that is 200 parts per million fast, or slow. Both clocks are counted, so that no time passes: when
# a block comes, its reader asks the source for as many frames as that one's clock has had meanwhile, and takes the block then.
# The channel between has less room than a block. So the part writes until these frames are there, and finds them in every run.
. "${DAL_SRCDIR:?}/test/lib.sh" || exit 1
. "$source/test/parts/lib.sh"
need pkg:samplerate
. "$source/test/parts/numpy.sh"

cat >give.c <<'END'
/* A sine; of two channels, the second is the first turned by a quarter. The first frames come at once. */
#include "dal.h"
#include <math.h>
enum { FIRST = 1024 + 4 * 64 };
struct _local_states { long given; double blocks, ppm, ends; };
void give_init(DALProcess *p)
{
    DAL_getParameterDouble("ppm", &p->local->ppm, p);
    DAL_getParameterDouble("blocks", &p->local->ends, p);
}
int give_fire(DALProcess *p)
{
    LocalState s = p->local;
    long until = FIRST + (long)floor(64 * s->blocks * (1 + 1e-6 * s->ppm));
    float frame[VAR_channels];
    char go = 1;
    for (; s->given < until; s->given++) {
        for (int c = 0; c < VAR_channels; c++)
            frame[c] = (float)(0.5 * cos(2 * M_PI * (0.02 * (double)s->given - 0.25 * c)));
        DAL_write(PORT_out, frame, sizeof(frame), p);
    }
    if (s->blocks > 0 && DAL_wtest(PORT_there, 1, p) >= 0)
        DAL_write(PORT_there, &go, 1, p);
    return s->blocks++ == s->ends || DAL_at_end(PORT_go, p) || DAL_read(PORT_go, &go, 1, p) < 0;
}
END
cat >take.c <<'END'
#include "dal.h"
int take_fire(DALProcess *p)
{
    float block[64 * VAR_channels];
    int bytes = 0, got = 1;
    char go = 1;
    if (DAL_at_end(PORT_in, p))
        return 1;
    if (DAL_wtest(PORT_go, 1, p) >= 0) {
        DAL_write(PORT_go, &go, 1, p);
        if (!DAL_at_end(PORT_there, p))
            DAL_read(PORT_there, &go, 1, p);
    }
    for (; bytes < (int)sizeof(block) && got > 0; bytes += got)
        got = DAL_read_some(PORT_in, (char *)block + bytes, (int)sizeof(block) - bytes, p);
    DAL_write(PORT_out, block, bytes, p);
    return 0;
}
END
# counted CHANNELS [ATTRIBUTE...]
counted() {
    channels=$1
    shift
    cat >counted.xml <<END
<processnetwork name="counted">
  <port type="output" name="out" tokentype="float"/>
  <variable name="channels" value="$channels"/>
  <process name="Give" source="give.c" libs="-lm">
    <parameter name="ppm" value="200"/><parameter name="blocks" value="45000"/>
  </process>
  <network name="Part" source="dal:asrc.xml" channels="$channels" time="2" $*/>
  <process name="Take" source="take.c"/>
  <channel from="Give.out" to="Part.in" type="float" tokenratein="dynamic" size="8192"/>
  <channel from="Part.out" to="Take.in" size="$((32 * channels))"/>
  <channel from="Take.out" to="out" tokenratein="dynamic"/>
  <channel from="Take.go" to="Give.go" type="char" tokenratein="dynamic" tokenrateout="dynamic" size="4"/>
  <channel from="Give.there" to="Take.there" type="char" tokenratein="dynamic" tokenrateout="dynamic" size="4"/>
</processnetwork>
END
    rm -rf counted
    synthesise -o counted counted.xml
}
# heard CODE: with what was heard of a sine, in frames of the input: `ahead` of the clock that takes it, at the frames `at`
heard() {
    [ ! -s messages ] || fail "it ran empty" messages
    numpy "
f, channels, ppm, blocks, first = 0.02, $channels, $ppm * 1e-6, $blocks, 1024 + 4 * 64
y = read('y').reshape(-1, channels).astype(float64)
n = arange(len(y) // 600 * 600)
z = (y[:len(n), 0] * exp(-2j * pi * f * n)).reshape(-1, 600).mean(axis=1) # whole periods
ahead = unwrap(angle(z)) / (2 * pi * f)
at = n[::600] + 299.5
late = (at > len(y) / 2) & (at < 64 * blocks - 4096)
slope = polyfit(at[late], ahead[late], 1)[0]
$1"
}
# follows PPM: the second half of a minute is a sine of the right frequency, nothing is lost, and the same is kept all the time
follows() {
    ppm=$1 blocks=45000
    run 0 counted/counted --out=y.npy -p "Give.ppm=$1"
    heard "
kept = first + at * ppm - ahead # between what was given and what is heard
assert abs(slope - ppm) < 1e-6, slope
assert abs(diff(ahead[late]) / 600 - ppm).max() < 1e-5, diff(ahead[late]) # in each eightieth of a second
assert abs(kept[late] - 1024).max() < 2 and kept[at < at[late][0]].min() > 960 and kept.max() < 1300, kept
given = first + floor(64 * blocks * (1 + ppm))
last = len(y) - 1 + ahead[late][-1] + slope * (len(y) - 1 - at[late][-1])
assert abs(last - (given - 1)) < 2, (last, given) # what came last is heard last
whole = (y[512:-512] ** 2).sum(axis=1) # no step, no gap
assert whole.max() < 0.2501 and abs(2 * abs(z[late]) - 0.5).max() < 1e-4, (whole, z)
assert channels == 1 or whole.min() > 0.2499, whole # both are of one time"
}
counted 1
follows 200
follows -200
counted 2 'quality="best"'
follows 200

# It does not follow further than it may.
counted 1 'most="500" quality="fastest"'
ppm=3000 blocks=3000
run 0 counted/counted --out=y.npy -p Give.ppm=3000 -p Give.blocks=3000
heard "assert abs(slope - 500e-6) < 1e-6, slope"

# An input that has all at once, as a file, and ends: its samples come out, at a pace within the limit.
numpy "write('x', sin(arange(5000) * 0.1).astype(float32)); write('nothing', zeros(0, float32))"
part asrc
run 0 asrc/asrc --in=x.npy --out=y.npy
numpy "
y = read('y')
assert abs(y.size - 5000) <= 7 and abs(y[200:400] - sin(arange(200, 400) * 0.1)).max() < 0.06, y.size"
run 0 asrc/asrc --in=nothing.npy --out=y.npy
numpy "assert read('y').size == 0"
refuse_part "'worst' is none of its values" asrc 'quality="worst"'
refuse_part "middle: 16 is too small" asrc 'middle="16"'
