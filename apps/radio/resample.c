/* Resample: bands of the multiplex at 48 kHz; the arithmetic is in resample.h. */
#include "dal.h"
#include "resample.h"

/* Not state: a firing finds nothing of the one before. */
static _Thread_local float scratch[RESAMPLE_SCRATCH(VAR_block)];

int Resample_fire(DALProcess *p)
{
    float *before = DAL_read_begin(PORT_before, TOKEN_before_SIZE, TOKEN_before_RATE, p);
    float *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    float *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    int phase;

    if (!before || !in || !out)
        return 1;
    for (phase = 0; phase < UP; phase++) {
        resample_gather(before, DOWN * VAR_block, in, RESAMPLE_START(phase, VAR_block), scratch,
                        VAR_block);
        resample_block(scratch, out + phase * STREAMS * VAR_block, VAR_block);
    }
    DAL_read_end(PORT_before, before, p);
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
