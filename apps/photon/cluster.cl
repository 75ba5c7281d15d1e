/*
 * Cluster: photons that have shared their charge, as in cluster.h and with the same bytes.
 *
 * A work-group is one firing; its work-items share the rows of all frames, each with its own list.
 */
#include "photon.h"

#define IN_WORDS  (TOKEN_in_SIZE / 4)
#define OUT_WORDS (TOKEN_out_SIZE / 4)

typedef __global const float *row;

static inline float column(row above, row here, row below, int x)
{
    return above[x] + here[x] + below[x];
}

static inline int is_largest(row above, row here, row below, int x)
{
    float energy = here[x];

    return energy > above[x - 1] && energy > above[x] && energy > above[x + 1] &&
           energy > here[x - 1] && energy >= here[x + 1] && energy >= below[x - 1] &&
           energy >= below[x] && energy >= below[x + 1];
}

/* Row y of a strip, or of the one before. */
static inline row energies(__global const uint *in, __global const uint *before, int y)
{
    return (row)((y < 0 ? before : in) + HEAD_WORDS) + (y < 0 ? y + VAR_rows : y) * VAR_width;
}

static inline void search_row(row above, row here, row below, row inverse, row limit, int y,
                              __global uint *list)
{
    int x;

    list[0] = 0;
    for (x = 1; x < VAR_width - 1; x++) {
        float noise = limit[x] * fabs(inverse[x]);
        float sum = column(above, here, below, x - 1) + column(above, here, below, x) +
                    column(above, here, below, x + 1);
        __global uint *to = list + 4 + CLUSTER_WORDS * list[0];
        if ((here[x] > noise || sum > 3.0f * noise) && is_largest(above, here, below, x) &&
            list[0]++ < VAR_clusters) {
            to[0] = (uint)y << 16 | (uint)x;
            to[1] = as_uint(sum);
            to[2] = as_uint(here[x]);
        }
    }
}

__kernel void Cluster(__global const uint *in, __global const uint *before,
                      __global const float *state, __global const float *state_before,
                      __global uint *out)
{
    size_t firing = get_group_id(0);
    int n, i;

    in += firing * VAR_frames * IN_WORDS;
    before += firing * VAR_frames * IN_WORDS;
    out += firing * VAR_frames * OUT_WORDS;
    state += firing * (TOKEN_state_SIZE / 4);
    state_before += firing * (TOKEN_state_SIZE / 4);
    for (n = get_local_id(0); n < VAR_frames * VAR_rows; n += get_local_size(0)) {
        int f = n / VAR_rows, y = n % VAR_rows - 1;
        __global const uint *now = in + f * IN_WORDS, *then = before + f * IN_WORDS;
        __global uint *to = out + f * OUT_WORDS, *list = to + HEAD_WORDS + (y + 1) * LIST_WORDS;
        row planes = (y < 0 ? state_before + PIXELS : state) + y * VAR_width;
        int at = (int)now[HEAD_STRIP] * VAR_rows + y;
        for (i = y + 1; i < HEAD_WORDS; i += VAR_rows)
            to[i] = now[i];
        list[0] = 0;
        if (now[HEAD_KIND] == KIND_FRAME && at >= 1)
            search_row(energies(now, then, y - 1), energies(now, then, y),
                       energies(now, then, y + 1), planes + PLANE_INVERSE * PIXELS,
                       planes + PLANE_LIMIT * PIXELS, at, list);
    }
}
