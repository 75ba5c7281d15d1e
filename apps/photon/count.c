/* Count: photons of a strip in all frames of a block; the arithmetic is in count.h. */
#include "dal.h"
#include "count.h"

int Count_fire(DALProcess *p)
{
    uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);
    int f, y;

    if (!in || !out)
        return 1;
    memset(out, 0, TOKEN_out_SIZE);
    memcpy(out, in, HEAD_WORDS * sizeof(*in));
    for (f = 0; f < VAR_frames; f++) {
        const uint32_t *token = in + f * (TOKEN_in_SIZE / 4);
        count_strip((const float *)(token + HEAD_WORDS), out + HEAD_WORDS, PIXELS, PHOTON);
        for (y = 0; y < VAR_rows; y++)
            out[HEAD_WORDS + PIXELS + y] += token[HEAD_WORDS + PIXELS + y];
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
