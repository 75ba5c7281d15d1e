/* Resample for a core or a device: as in resample.h, and with the same bytes. A firing is a phase,
 * a block of DAL_foreach is LANES outputs. */
#include "dal.h"
#include "filter.h"
#include "radio.h"
#include "taps.h"

int Resample_fire(DALProcess *p)
{
    struct filter f = filter_begin(p);
    DAL_WINDOW const float *before = (DAL_WINDOW const float *)f.before;
    DAL_WINDOW const float *in = (DAL_WINDOW const float *)f.in;
    DAL_WINDOW float *out = (DAL_WINDOW float *)f.out;
    int start = RESAMPLE_START(DAL_PHASE, VAR_block), had = TOKEN_before_RATE * VAR_block;

    DAL_foreach (part : PORT_out) {
        int i, s, c, l;
        for (i = part * LANES * STREAMS; i < (part + 1) * LANES * STREAMS; i++) {
            int k = i / STREAMS, first = start + k * DOWN / UP;
            int stream = i % STREAMS, tap = (k % UP * STREAMS + stream) * PHASE_TAPS;
            float sum[LANES];
            for (l = 0; l < LANES; l++)
                sum[l] = 0.0f;
            for (c = 0; c < PHASE_TAPS; c += LANES)
                for (l = 0; l < LANES; l++) {
                    int at = first + c + l;
                    float x = at < 0 ? before[had + at] : in[at];
                    sum[l] += resample_taps[tap + c + l] * x;
                }
            for (s = LANES / 2; s > 0; s /= 2)
                for (l = 0; l < s; l++)
                    sum[l] += sum[l + s];
            out[stream * VAR_block + k] = sum[0];
        }
    }
    filter_end(f, p);
    return 0;
}
