/* Total: sums over more frames added up to one over most frames; the arithmetic is in sum.h. */
#include "dal.h"
#include "sum.h"

int Total_fire(DALProcess *p)
{
    uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);

    if (!in || !out)
        return 1;
    sum_pixels(in + HEAD_WORDS, TOKEN_in_SIZE / 4, (float *)(out + HEAD_WORDS), TOKEN_in_RATE,
               PIXELS);
    sum_head(in, TOKEN_in_SIZE / 4, out, TOKEN_in_RATE);
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
