/* Correct: energies, and pedestals that move; the arithmetic is in correct.h. */
#include "dal.h"
#include "correct.h"

int Correct_fire(DALProcess *p)
{
    uint32_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    float *before = DAL_read_begin(PORT_before, TOKEN_before_SIZE, 1, p);
    uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    float *after = DAL_write_begin(PORT_after, TOKEN_after_SIZE, 1, 1, 0, p);
    int f;

    if (!in || !before || !out || !after)
        return 1;
    memcpy(after, before, TOKEN_after_SIZE);
    for (f = 0; f < TOKEN_in_RATE; f++)
        correct_strip(in + f * (TOKEN_in_SIZE / 4), after, out + f * (TOKEN_out_SIZE / 4),
                      VAR_width, VAR_rows);
    DAL_read_end(PORT_in, in, p);
    DAL_read_end(PORT_before, before, p);
    DAL_write_end(PORT_out, out, p);
    DAL_write_end(PORT_after, after, p);
    return 0;
}
