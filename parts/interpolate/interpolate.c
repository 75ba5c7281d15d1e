/* Filters samples between which VAR_by - 1 zeros stand, without multiplying by these: the outputs
 * that lie n behind a sample meet the taps n, n + VAR_by.. alone. */
#include "dal.h"

#include "../common/fir_loop.h"
#include "../common/taps.h"

enum {
    CHANNELS = VAR_channels,
    ROW_TAPS = (VAR_taps + VAR_by - 1) / VAR_by,
    PAST = (ROW_TAPS - 1) * CHANNELS, /* samples before the firing */
    NEW = VAR_block * CHANNELS,
    OUT = NEW * VAR_by
};

struct _local_states {
    float taps[VAR_by][ROW_TAPS];
    float samples[PAST + NEW];
    float row[NEW];
};

void Interpolate_init(DALProcess *p)
{
    taps_get(p->local->taps[0], VAR_taps, VAR_by, p);
}

static void spread_row(float *out, const float *row, int n)
{
    for (int i = 0; i < VAR_block; i++)
        for (int c = 0; c < CHANNELS; c++)
            out[(i * VAR_by + n) * CHANNELS + c] = row[i * CHANNELS + c];
}

int Interpolate_fire(DALProcess *p)
{
    struct _local_states *s = p->local;
    const float *in = DAL_READ_TOKENS(float, in, NEW, p);
    float *out = DAL_WRITE_TOKENS(float, out, OUT, OUT, 0, p);

    if (!in || !out)
        return 1;
    memcpy(s->samples + PAST, in, NEW * sizeof(*in));
    for (int n = 0; n < VAR_by; n++) {
        memset(s->row, 0, sizeof(s->row));
        fir_add(s->row, s->samples + PAST, NEW, s->taps[n], taps_of_row(VAR_taps, VAR_by, n),
                CHANNELS);
        spread_row(out, s->row, n);
    }
    memmove(s->samples, s->samples + NEW, PAST * sizeof(*in));
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
