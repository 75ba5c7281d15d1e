/* Cuts samples into frames, and multiplies each by a window. */
#include "dal.h"

#include <math.h>

enum { rectangle, hann, hamming, blackman, PAST = VAR_size - VAR_step };

static const double pi = 3.14159265358979323846;

/* Of each kind: a constant, less a cosine, and more one of twice the frequency. */
static const double terms[][3] = {
    [rectangle] = {1, 0, 0},
    [hann] = {0.5, 0.5, 0},
    [hamming] = {0.54, 0.46, 0},
    [blackman] = {0.42, 0.5, 0.08},
};

struct _local_states {
    float window[VAR_size];
    float samples[VAR_size]; /* the last ones */
};

void Window_init(DALProcess *p)
{
    const double *t = terms[VAR_kind];

    for (int i = 0; i < VAR_size; i++) {
        double angle = 2 * pi * i / VAR_size;
        p->local->window[i] = (float)(t[0] - t[1] * cos(angle) + t[2] * cos(2 * angle));
        if (VAR_size == 1)
            p->local->window[i] = 1;
    }
}

int Window_fire(DALProcess *p)
{
    struct _local_states *s = p->local;
    const float *in = DAL_READ_TOKENS(float, in, VAR_step, p);
    float *out = DAL_WRITE_TOKENS(float, out, VAR_size, VAR_size, 0, p);

    if (!in || !out)
        return 1;
    memmove(s->samples, s->samples + VAR_step, PAST * sizeof(*in));
    memcpy(s->samples + PAST, in, VAR_step * sizeof(*in));
    for (int i = 0; i < VAR_size; i++)
        out[i] = s->samples[i] * s->window[i];
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
