/* Resample: bands of the multiplex at 48 kHz; the arithmetic is in resample.h. A firing is a phase:
 * it reads six, five or five blocks, and writes one. */
#include "dal.h"
#include "resample.h"

/* Not state: a firing finds nothing of the one before. */
static _Thread_local float scratch[RESAMPLE_SCRATCH(VAR_block)];

int Resample_fire(DALProcess *p)
{
    float *before = DAL_read_begin(PORT_before, TOKEN_before_SIZE, TOKEN_before_RATE, p);
    float *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    float *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    if (!before || !in || !out)
        return 1;
    resample_gather(before, TOKEN_before_RATE * VAR_block, in, RESAMPLE_START(DAL_PHASE, VAR_block),
                    scratch, VAR_block);
    resample_block(scratch, out, VAR_block);
    DAL_read_end(PORT_before, before, p);
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
