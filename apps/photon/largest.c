/* Largest: the largest energy of a strip in each frame of a block; see largest.h. */
#include "dal.h"
#include "largest.h"

#include <string.h>

int Largest_fire(DALProcess *p)
{
    uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);
    int f;

    if (!in || !out)
        return 1;
    memcpy(out, in, HEAD_WORDS * sizeof(*out));
    for (f = 0; f < VAR_frames; f++) {
        const uint32_t *token = in + f * (TOKEN_in_SIZE / 4);
        ((float *)(out + HEAD_WORDS))[f] =
            token[HEAD_KIND] == KIND_FRAME ? largest_of((const float *)(token + HEAD_WORDS), PIXELS)
                                           : -INFINITY;
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
