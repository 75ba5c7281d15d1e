/*
 * Drift: how far the pedestals of stage 0 are from those of the calibration, after each block.
 *
 * The head of `counts` tells of a block whether it is of the calibration. If so, the pedestals of
 * `state` are those to begin with; a channel to itself keeps them in place, a token for
 * each strip: `after` is `before`.
 */
#include "dal.h"
#include "photon.h"

#include <stdint.h>
#include <string.h>

int Drift_fire(DALProcess *p)
{
    uint32_t *counts = DAL_read_begin(PORT_counts, TOKEN_counts_SIZE, 1, p);
    float *state = DAL_read_begin(PORT_state, TOKEN_state_SIZE, 1, p);
    float *before = DAL_read_begin(PORT_before, TOKEN_before_SIZE, 1, p);
    float *after = DAL_write_begin(PORT_after, TOKEN_after_SIZE, 1, 1, 0, p);
    uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);
    float *away;
    int i;

    if (!counts || !state || !before || !after || !out)
        return 1;
    away = (float *)(out + HEAD_WORDS);
    memcpy(out, counts, HEAD_WORDS * sizeof(*out));
    if (counts[HEAD_KIND] == KIND_PIECE)
        memcpy(after, state + PLANE_PED * PIXELS, TOKEN_after_SIZE);
    for (i = 0; i < PIXELS; i++)
        away[i] = state[PLANE_PED * PIXELS + i] - after[i];
    DAL_read_end(PORT_counts, counts, p);
    DAL_read_end(PORT_state, state, p);
    DAL_read_end(PORT_before, before, p);
    DAL_write_end(PORT_after, after, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
