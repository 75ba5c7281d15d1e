/*
 * cluster.h: finds photons that have shared their charge among pixels.
 *
 * A pixel is the middle of a cluster if it is the first largest one of the 3 x 3 around it, row by
 * row, all of which lie in the frame, and if it is above the noise, or their sum is:
 *
 *     E > noise or sum > 3 * noise            noise = limit[0] / gain[0], which is c * sd in keV
 *
 * A strip finds those whose middle is in its rows without the last one, or in the last row of the
 * strip before. So it needs that strip alone, and no process needs a frame.
 */
#ifndef PHOTON_CLUSTER_H
#define PHOTON_CLUSTER_H

#include "photon.h"

#include <stdint.h>
#include <string.h>

struct cluster_rows {
    const float *above, *here, *below; /* energies */
    const float *inverse, *limit;      /* of the row in the middle, in stage 0 */
    int y;                             /* in the frame */
};

static inline float cluster_sum(const struct cluster_rows *r, int x)
{
    float left = r->above[x - 1] + r->here[x - 1] + r->below[x - 1];
    float here = r->above[x] + r->here[x] + r->below[x];
    float right = r->above[x + 1] + r->here[x + 1] + r->below[x + 1];

    return left + here + right;
}

/* Is there a cluster at x? No branches, so that the compiler makes lanes of it. */
static inline int cluster_is_at(const struct cluster_rows *r, int x)
{
    float energy = r->here[x], inverse = r->inverse[x], sum = cluster_sum(r, x);
    float noise = r->limit[x] * (inverse < 0.0f ? -inverse : inverse);
    int loud = (energy > noise) | (sum > 3.0f * noise);
    int first = (energy > r->above[x - 1]) & (energy > r->above[x]) & (energy > r->above[x + 1]) &
                (energy > r->here[x - 1]);
    int largest = (energy >= r->here[x + 1]) & (energy >= r->below[x - 1]) &
                  (energy >= r->below[x]) & (energy >= r->below[x + 1]);

    return loud & first & largest;
}

/* Adds what is at x to a list, as long as there is room. */
static inline void cluster_put(const struct cluster_rows *r, int x, uint32_t *list, int most)
{
    uint32_t *to = list + 4 + CLUSTER_WORDS * list[0];
    float sum = cluster_sum(r, x);

    if (list[0]++ >= (uint32_t)most)
        return;
    to[0] = (uint32_t)r->y << 16 | (uint32_t)x;
    memcpy(to + 1, &sum, sizeof(sum));
    memcpy(to + 2, &r->here[x], sizeof(sum));
}

/* The list of a row; `marks` has room for as many as 16 pixels. */
static inline void cluster_row(const struct cluster_rows *r, uint32_t *list, int width, int most)
{
    int x, i;

    list[0] = 0;
    for (x = 1; x < width - 1; x += 16) {
        int32_t marks[16], some = 0, end = width - 1 - x < 16 ? width - 1 - x : 16;
        for (i = 0; i < end; i++)
            some |= marks[i] = cluster_is_at(r, x + i);
        for (i = 0; some && i < end; i++)
            if (marks[i])
                cluster_put(r, x + i, list, most);
    }
}

/* What a strip is searched with: its energies and the state of its first plane, and those of the
 * strip before. */
struct cluster_strip {
    const uint32_t *in, *before;
    const float *state, *state_before;
    int width, rows, most;
};

/* Row y of the strip or, if that is negative, of the one before. */
static inline const float *cluster_energies(const struct cluster_strip *s, int y)
{
    const uint32_t *token = y < 0 ? s->before : s->in;

    return (const float *)(token + HEAD_WORDS) + (y < 0 ? y + s->rows : y) * s->width;
}

/* The lists of all rows; list n is of the row in front of row n. */
static inline void cluster_strip(const struct cluster_strip *s, uint32_t *out)
{
    uint32_t strip = s->in[HEAD_STRIP], *list = out + HEAD_WORDS;
    int y, pixels = s->width * s->rows;

    memcpy(out, s->in, HEAD_WORDS * sizeof(*out));
    for (y = -1; y < s->rows - 1; y++, list += 4 + CLUSTER_WORDS * s->most) {
        const float *state = y < 0 ? s->state_before + pixels : s->state;
        const float *inverse = state + PLANE_INVERSE * pixels + y * s->width;
        struct cluster_rows r = {cluster_energies(s, y - 1),
                                 cluster_energies(s, y),
                                 cluster_energies(s, y + 1),
                                 inverse,
                                 inverse + (PLANE_LIMIT - PLANE_INVERSE) * pixels,
                                 (int)strip * s->rows + y};
        list[0] = 0;
        if (s->in[HEAD_KIND] == KIND_FRAME && r.y >= 1)
            cluster_row(&r, list, s->width, s->most);
    }
}

#endif
