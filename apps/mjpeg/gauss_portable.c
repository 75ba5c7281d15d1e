/*
 * Gauss for a core or a device: blurs with the window of gauss.h and with the same bytes. A block
 * is a row: the sums of its columns, then sums along them. They are exact in 32 bits, so their
 * order does not matter.
 */
#include "dal.h"

#include <stdint.h>

#define IMAGE  (VAR_width * VAR_height)
#define TAPS   15
#define RADIUS 7

static const uint32_t weights[TAPS] = {1, 3, 6, 12, 20, 30, 36, 40, 36, 30, 20, 12, 6, 3, 1};

static inline int within(int y)
{
    return y < 0 ? 0 : y < VAR_height ? y : VAR_height - 1;
}

int Gauss_fire(DALProcess *p)
{
    DAL_WINDOW const uint8_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_WINDOW uint8_t *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    DAL_foreach (y : PORT_out) {
        uint32_t columns[VAR_width + 2 * RADIUS];
        int x, i;

        for (x = 0; x < VAR_width; x++)
            columns[RADIUS + x] = 0;
        for (i = 0; i < TAPS; i++) {
            DAL_WINDOW const uint8_t *row = in + within(y + i - RADIUS) * VAR_width;
            uint32_t weight = weights[i];
            for (x = 0; x < VAR_width; x++)
                columns[RADIUS + x] += weight * row[x];
        }
        for (i = 0; i < RADIUS; i++) {
            columns[i] = columns[RADIUS];
            columns[RADIUS + VAR_width + i] = columns[RADIUS + VAR_width - 1];
        }
        for (x = 0; x < VAR_width; x++) {
            uint32_t sum = 32768;
            for (i = 0; i < TAPS; i++)
                sum += weights[i] * columns[x + i];
            out[y * VAR_width + x] = (uint8_t)(sum >> 16);
        }
        for (x = y == 0 ? IMAGE : TOKEN_out_SIZE; x < TOKEN_out_SIZE; x++)
            out[x] = in[x];
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
