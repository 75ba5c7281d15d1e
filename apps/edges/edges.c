/* How fast the grey changes at each pixel: the sum of its changes across and down (Sobel's). A core
 * or a device does it, line by line. */
#include "dal.h"

static inline int change(int a, int b)
{
    return a > b ? a - b : b - a;
}

int Edges_fire(DALProcess *p)
{
    DAL_WINDOW const uint8_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, 1, p);
    DAL_WINDOW uint8_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);

    DAL_foreach (y : PORT_out) {
        DAL_WINDOW const uint8_t *b = in + y * VAR_width;
        DAL_WINDOW const uint8_t *a = y > 0 ? b - VAR_width : b;
        DAL_WINDOW const uint8_t *c = y < VAR_height - 1 ? b + VAR_width : b;
        for (int x = 0; x < VAR_width; x++) {
            int l = x > 0 ? x - 1 : x, r = x < VAR_width - 1 ? x + 1 : x;
            int sum = change(a[r] + 2 * b[r] + c[r], a[l] + 2 * b[l] + c[l]) +
                      change(c[l] + 2 * c[x] + c[r], a[l] + 2 * a[x] + a[r]);
            out[y * VAR_width + x] = (uint8_t)(sum < 255 ? sum : 255);
        }
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
