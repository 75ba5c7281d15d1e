/* Cluster: photons that have shared their charge; the arithmetic is in cluster.h. */
#include "dal.h"
#include "cluster.h"

int Cluster_fire(DALProcess *p)
{
    uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    uint32_t *before = DAL_read_begin(PORT_before, TOKEN_before_SIZE, TOKEN_before_RATE, p);
    float *state = DAL_read_begin(PORT_state, TOKEN_state_SIZE, 1, p);
    float *state_before = DAL_read_begin(PORT_state_before, TOKEN_state_before_SIZE, 1, p);
    uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    int f;

    if (!in || !before || !state || !state_before || !out)
        return 1;
#pragma omp parallel for
    for (f = 0; f < VAR_frames; f++) {
        struct cluster_strip s = {in + f * (TOKEN_in_SIZE / 4),
                                  before + f * (TOKEN_before_SIZE / 4),
                                  state,
                                  state_before,
                                  VAR_width,
                                  VAR_rows,
                                  VAR_clusters};
        cluster_strip(&s, out + f * (TOKEN_out_SIZE / 4));
    }
    DAL_read_end(PORT_in, in, p);
    DAL_read_end(PORT_before, before, p);
    DAL_read_end(PORT_state, state, p);
    DAL_read_end(PORT_state_before, state_before, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
