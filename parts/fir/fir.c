/* Filters samples by real taps. */
#include "dal.h"

#include "../common/fir_loop.h"
#include "../common/taps.h"

enum {
    NEW = VAR_block * VAR_channels,
    PAST = (VAR_taps - 1) * VAR_channels,
    WHOLE = (PAST / FIR_AVX2_SIDE + 1) * FIR_AVX2_SIDE, /* more than it, in vectors */
    FIRST = WHOLE < NEW ? WHOLE : NEW /* outputs of a firing that need samples of those before */
};

struct _local_states {
    float taps[VAR_taps];
    float samples[PAST + FIRST]; /* those before the firing, and the first ones of it */
};

void Fir_init(DALProcess *p)
{
    taps_get(p->local->taps, VAR_taps, 1, p);
}

int Fir_fire(DALProcess *p)
{
    struct _local_states *s = p->local;
    const float *in = DAL_READ_TOKENS(float, in, NEW, p);
    float *out = DAL_WRITE_TOKENS(float, out, NEW, NEW, 0, p);

    if (!in || !out)
        return 1;
    memcpy(s->samples + PAST, in, FIRST * sizeof(*in));
    memset(out, 0, NEW * sizeof(*out));
    fir_add(out, s->samples + PAST, FIRST, s->taps, VAR_taps, VAR_channels);
    fir_add(out + FIRST, in + FIRST, NEW - FIRST, s->taps, VAR_taps, VAR_channels);
    if (PAST > NEW)
        memmove(s->samples, s->samples + NEW, PAST * sizeof(*in));
    else
        memcpy(s->samples, in + NEW - PAST, PAST * sizeof(*in));
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
