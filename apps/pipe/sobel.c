/* Sobel: the sum of the absolute differences across and down, at most 255; 0 at the border. */
#include "dal.h"

#include <stdlib.h>
#include <string.h>

static uint8_t slope(const uint8_t *at)
{
    const uint8_t *up = at - VAR_width, *down = at + VAR_width;
    int across = up[1] + 2 * at[1] + down[1] - up[-1] - 2 * at[-1] - down[-1];
    int along = down[-1] + 2 * down[0] + down[1] - up[-1] - 2 * up[0] - up[1];
    int sum = abs(across) + abs(along);
    return (uint8_t)(sum > 255 ? 255 : sum);
}

int Sobel_fire(DALProcess *p)
{
    const uint8_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    uint8_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    if (!in || !out)
        return 1;
    memset(out, 0, TOKEN_out_SIZE);
    for (int y = 1; y < VAR_height - 1; y++)
        for (int x = 1; x < VAR_width - 1; x++)
            out[y * VAR_width + x] = slope(&in[y * VAR_width + x]);
    DAL_write_end(PORT_out, out, p);
    DAL_read_end(PORT_in, (void *)in, p);
    return 0;
}
