/* Tune: the station's samples at 256 kHz; the arithmetic is in tune.h. */
#include "dal.h"
#include "tune.h"

/* Not state: a firing finds nothing of the one before. */
static _Thread_local float scratch[TUNE_SCRATCH(VAR_block)];

int Tune_fire(DALProcess *p)
{
    int8_t *before = DAL_read_begin(PORT_before, TOKEN_before_SIZE, TOKEN_before_RATE, p);
    int8_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    float *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    if (!before || !in || !out)
        return 1;
    tune_block(before, in, out, VAR_block, scratch);
    DAL_read_end(PORT_before, before, p);
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
