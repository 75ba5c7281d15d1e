/* Tune for a core or a device: as in tune.h, and with the same bytes. A block of DAL_foreach is
 * LANES outputs. */
#include "dal.h"
#include "filter.h"
#include "radio.h"
#include "taps.h"

#include <stdint.h>

#define SAMPLES (DECIMATION * VAR_block)

int Tune_fire(DALProcess *p)
{
    struct filter f = filter_begin(p);
    DAL_WINDOW const int8_t *before = (DAL_WINDOW const int8_t *)f.before;
    DAL_WINDOW const int8_t *in = (DAL_WINDOW const int8_t *)f.in;
    DAL_WINDOW float *out = (DAL_WINDOW float *)f.out;

    DAL_foreach (part : PORT_out) {
        int l, j;
        for (l = 0; l < LANES; l++) {
            int newest = DECIMATION * (part * LANES + l) + DECIMATION - 1;
            float re = 0.0f, im = 0.0f;
            for (j = 0; j < TUNE_TAPS; j++) {
                int at = newest - j;
                int i = at < 0 ? before[2 * (SAMPLES + at)] : in[2 * at];
                int q = at < 0 ? before[2 * (SAMPLES + at) + 1] : in[2 * at + 1];
                float x = (float)i * 0.0078125f + 0.00390625f;
                float y = (float)q * 0.0078125f + 0.00390625f;
                float turned_x = (j & 1) == 0 ? x : -y, turned_y = (j & 1) == 0 ? y : x;
                re += tune_taps[j] * ((j & 2) == 0 ? turned_x : -turned_x);
                im += tune_taps[j] * ((j & 2) == 0 ? turned_y : -turned_y);
            }
            out[part * LANES + l] = re;
            out[VAR_block + part * LANES + l] = im;
        }
    }
    filter_end(f, p);
    return 0;
}
