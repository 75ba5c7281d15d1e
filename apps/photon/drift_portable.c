/* Drift for a core or a device: as in drift.c, and with the same bytes. A block is a row. */
#include "dal.h"
#include "photon.h"

#include <stdint.h>

int Drift_fire(DALProcess *p)
{
    DAL_WINDOW const uint32_t *counts = DAL_read_begin(PORT_counts, TOKEN_counts_SIZE, 1, p);
    DAL_WINDOW const float *state = DAL_read_begin(PORT_state, TOKEN_state_SIZE, 1, p);
    DAL_WINDOW const float *before = DAL_read_begin(PORT_before, TOKEN_before_SIZE, 1, p);
    DAL_WINDOW float *after = DAL_write_begin(PORT_after, TOKEN_after_SIZE, 1, 1, 0, p);
    DAL_WINDOW uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);

    DAL_foreach (row : PORT_out) {
        int i;
        for (i = row; i < HEAD_WORDS; i += VAR_rows)
            out[i] = counts[i];
        for (i = row * VAR_width; i < (row + 1) * VAR_width; i++) {
            float ped = state[PLANE_PED * PIXELS + i];
            float first = counts[HEAD_KIND] == KIND_PIECE ? ped : before[i];
            after[i] = first;
            ((DAL_WINDOW float *)(out + HEAD_WORDS))[i] = ped - first;
        }
    }
    DAL_read_end(PORT_counts, counts, p);
    DAL_read_end(PORT_state, state, p);
    DAL_read_end(PORT_before, before, p);
    DAL_write_end(PORT_after, after, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
