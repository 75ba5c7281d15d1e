/*
 * Sobel for a core or a device: gradient magnitude as in sobel.h and with the same bytes. A block
 * is a row.
 */
#include "dal.h"

#include <math.h>
#include <stdint.h>

#define IMAGE (VAR_width * VAR_height)

static inline uint8_t magnitude(DAL_WINDOW const uint8_t *above, DAL_WINDOW const uint8_t *here,
                                DAL_WINDOW const uint8_t *below, int l, int x, int r)
{
    int gx = above[r] - above[l] + 2 * (here[r] - here[l]) + below[r] - below[l];
    int gy = below[l] - above[l] + 2 * (below[x] - above[x]) + below[r] - above[r];
    float root = sqrtf((float)(gx * gx + gy * gy)) + 0.5f;

    return (uint8_t)(int)(root < 255.0f ? root : 255.0f);
}

int Sobel_fire(DALProcess *p)
{
    DAL_WINDOW const uint8_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_WINDOW uint8_t *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    DAL_foreach (y : PORT_out) {
        int first = y * VAR_width, last = VAR_width - 1, x;
        DAL_WINDOW const uint8_t *here = in + first;
        DAL_WINDOW const uint8_t *above = y > 0 ? here - VAR_width : here;
        DAL_WINDOW const uint8_t *below = y < VAR_height - 1 ? here + VAR_width : here;

        out[first] = magnitude(above, here, below, 0, 0, 1);
        for (x = 1; x < last; x++)
            out[first + x] = magnitude(above, here, below, x - 1, x, x + 1);
        out[first + last] = magnitude(above, here, below, last - 1, last, last);
        for (x = y == 0 ? IMAGE : TOKEN_out_SIZE; x < TOKEN_out_SIZE; x++)
            out[x] = in[x];
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
