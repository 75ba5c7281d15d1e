/* Total for a core or a device: as in sum.h, and with the same bytes. A block is a row. */
#include "dal.h"
#include "photon.h"

#include <stdint.h>

#define WORDS (TOKEN_out_SIZE / 4)
#define SUMS  (VAR_most / VAR_more)

int Total_fire(DALProcess *p)
{
    DAL_WINDOW const uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_WINDOW uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);

    DAL_foreach (row : PORT_out) {
        DAL_WINDOW const float *sums = (DAL_WINDOW const float *)(in + HEAD_WORDS);
        int x, n;
        for (x = row; x < HEAD_WORDS; x += VAR_rows)
            out[x] = in[(SUMS - 1) * WORDS + x];
        for (x = row * VAR_width; x < (row + 1) * VAR_width; x++) {
            float sum = sums[x];
            for (n = 1; n < SUMS; n++)
                sum += sums[n * WORDS + x];
            ((DAL_WINDOW float *)(out + HEAD_WORDS))[x] = sum;
        }
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
