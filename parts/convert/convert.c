/* Converts samples by way of double, which has every value of the types exactly. */
#include "dal.h"

enum { none, full };

/* What 1.0 is as an integer, and what 0.0 is: as WAVE files have it. */
#define FULL(type)                                                                                 \
    (VAR_scale == none ? 1.0                                                                       \
                       : _Generic((type)0, uint8_t : 128.0, int16_t : 32768.0,                     \
                                  int32_t : 2147483648.0, default : 1.0))
#define ZERO(type)    (VAR_scale == none ? 0.0 : _Generic((type)0, uint8_t : 128.0, default : 0.0))
#define LEAST(type)   _Generic((type)0, uint8_t : 0.0, int16_t : -32768.0, default : -2147483648.0)
#define MOST(type)    _Generic((type)0, uint8_t : 255.0, int16_t : 32767.0, default : 2147483647.0)
#define IS_REAL(type) _Generic((type)0, float : 1, double : 1, default : 0)

/* Half an integer is rounded away from zero; no number becomes the least one. What is added is the
 * number before 0.5: with 0.5 itself, 0.49999999999999994 would be 1. The sum of half an integer
 * still rounds up to the next one. */
static inline double to_integer(double value)
{
    value = value >= LEAST(VAR_to) ? value : LEAST(VAR_to);
    value = value <= MOST(VAR_to) ? value : MOST(VAR_to);
    return value + (value < 0 ? -0x1.fffffffffffffp-2 : 0x1.fffffffffffffp-2);
}

int Convert_fire(DALProcess *p)
{
    const VAR_from *in = DAL_READ_TOKENS(VAR_from, in, VAR_block, p);
    VAR_to *out = DAL_WRITE_TOKENS(VAR_to, out, VAR_block, VAR_block, 0, p);

    if (!in || !out)
        return 1;
    for (int i = 0; i < VAR_block; i++) {
        double value = ((double)in[i] - ZERO(VAR_from)) * (FULL(VAR_to) / FULL(VAR_from));
        out[i] = (VAR_to)(IS_REAL(VAR_to) ? value : to_integer(value + ZERO(VAR_to)));
    }
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
