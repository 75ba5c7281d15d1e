/* Sum for a core or a device: as in sum.h, and with the same bytes. A block is a row. */
#include "dal.h"
#include "photon.h"

#include <stdint.h>

#define IN_WORDS  (TOKEN_in_SIZE / 4)
#define SUM_WORDS (TOKEN_few_SIZE / 4)
#define SUMS      (VAR_more / VAR_few)

int Sum_fire(DALProcess *p)
{
    DAL_WINDOW const uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_WINDOW uint32_t *few =
        DAL_write_begin(PORT_few, TOKEN_few_SIZE, TOKEN_few_RATE, TOKEN_few_RATE, 0, p);
    DAL_WINDOW uint32_t *more = DAL_write_begin(PORT_more, TOKEN_more_SIZE, 1, 1, 0, p);

    DAL_foreach (row : PORT_more) {
        DAL_WINDOW const float *energies = (DAL_WINDOW const float *)(in + HEAD_WORDS);
        DAL_WINDOW float *sums = (DAL_WINDOW float *)(few + HEAD_WORDS);
        int x, n, f;
        for (x = row; x < HEAD_WORDS; x += VAR_rows) {
            for (n = 0; n < SUMS; n++)
                few[n * SUM_WORDS + x] = in[((n + 1) * VAR_few - 1) * IN_WORDS + x];
            more[x] = in[(VAR_more - 1) * IN_WORDS + x];
        }
        for (x = row * VAR_width; x < (row + 1) * VAR_width; x++) {
            float all = 0.0f;
            for (n = 0; n < SUMS; n++) {
                float sum = energies[n * VAR_few * IN_WORDS + x];
                for (f = 1; f < VAR_few; f++)
                    sum += energies[(n * VAR_few + f) * IN_WORDS + x];
                sums[n * SUM_WORDS + x] = sum;
                all = n == 0 ? sum : all + sum;
            }
            ((DAL_WINDOW float *)(more + HEAD_WORDS))[x] = all;
        }
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_few, few, p);
    DAL_write_end(PORT_more, more, p);
    return 0;
}
