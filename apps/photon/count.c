/* Count: photons of a strip in all frames of a block; the arithmetic is in count.h. */
#include "dal.h"
#include "count.h"

/* All pixels in all frames; what is no frame has no energies. A thread of a team has the same parts
 * in each frame. */
static void count_frames(const uint32_t *in, uint32_t *out)
{
    int f, n;

    for (f = 0; f < VAR_frames; f++) {
        const uint32_t *token = in + f * (TOKEN_in_SIZE / 4);
        const float *energies = (const float *)(token + HEAD_WORDS);
        if (token[HEAD_KIND] != KIND_FRAME)
            continue;
#pragma omp for schedule(static) nowait
        for (n = 0; n < PARTS; n++)
            count_strip(energies + n * PART, out + HEAD_WORDS + n * PART, PART, PHOTON);
    }
}

int Count_fire(DALProcess *p)
{
    uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);
    int f, y;

    if (!in || !out)
        return 1;
    memset(out, 0, TOKEN_out_SIZE);
    memcpy(out, in, HEAD_WORDS * sizeof(*in));
#pragma omp parallel
    count_frames(in, out);
    for (f = 0; f < VAR_frames; f++)
        for (y = HEAD_WORDS + PIXELS; y < HEAD_WORDS + PIXELS + VAR_rows; y++)
            out[y] += in[f * (TOKEN_in_SIZE / 4) + y];
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
