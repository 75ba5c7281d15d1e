/* Filters samples and keeps every VAR_by-th one. Tap k * VAR_by + n meets the frames that lie n in
 * front of those kept: they make a row of their own, which is filtered by every VAR_by-th tap. */
#include "dal.h"

#include "../common/fir_loop.h"
#include "../common/taps.h"

enum {
    CHANNELS = VAR_channels,
    ROW_TAPS = (VAR_taps + VAR_by - 1) / VAR_by,
    PAST = ROW_TAPS * VAR_by * CHANNELS, /* samples before the firing */
    NEW = VAR_block * VAR_by * CHANNELS,
    OUT = VAR_block * CHANNELS,
    ROW_PAST = (ROW_TAPS - 1) * CHANNELS
};

struct _local_states {
    float taps[VAR_by][ROW_TAPS];
    float samples[PAST + NEW];
    float row[ROW_PAST + OUT];
};

void Decimate_init(DALProcess *p)
{
    taps_get(p->local->taps[0], VAR_taps, VAR_by, p);
}

static void gather_row(struct _local_states *s, int n)
{
    const float *from = s->samples + PAST - (ROW_TAPS - 1) * VAR_by * CHANNELS - n * CHANNELS;

    for (int i = 0; i < ROW_TAPS - 1 + VAR_block; i++)
        for (int c = 0; c < CHANNELS; c++)
            s->row[i * CHANNELS + c] = from[i * VAR_by * CHANNELS + c];
}

int Decimate_fire(DALProcess *p)
{
    struct _local_states *s = p->local;
    const float *in = DAL_READ_TOKENS(float, in, NEW, p);
    float *out = DAL_WRITE_TOKENS(float, out, OUT, OUT, 0, p);

    if (!in || !out)
        return 1;
    memcpy(s->samples + PAST, in, NEW * sizeof(*in));
    memset(out, 0, OUT * sizeof(*out));
    for (int n = 0; n < VAR_by && n < VAR_taps; n++) {
        gather_row(s, n);
        fir_add(out, s->row + ROW_PAST, OUT, s->taps[n], taps_of_row(VAR_taps, VAR_by, n),
                CHANNELS);
    }
    memmove(s->samples, s->samples + NEW, PAST * sizeof(*in));
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
