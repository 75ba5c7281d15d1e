/* Resample: bands of the multiplex at 48 kHz; the arithmetic is in resample.h. A firing is a phase:
 * it reads six, five or five blocks, and writes one. */
#include "dal.h"
#include "filter.h"
#include "resample.h"

/* Not state: a firing finds nothing of the one before. */
static _Thread_local float seam[2 * RESAMPLE_AGE];

int Resample_fire(DALProcess *p)
{
    struct filter f = filter_begin(p);
    const float *before = f.before;

    if (!f.before || !f.in || !f.out)
        return 1;
    resample_apart(before + TOKEN_before_RATE * VAR_block, f.in,
                   RESAMPLE_START(DAL_PHASE, VAR_block), seam, f.out, VAR_block);
    filter_end(f, p);
    return 0;
}
