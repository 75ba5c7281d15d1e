/* Tune: the station's samples at 256 kHz; the arithmetic is in tune.h. */
#include "dal.h"
#include "filter.h"
#include "tune.h"

/* Not state: a firing finds nothing of the one before. */
static _Thread_local float scratch[TUNE_SCRATCH(VAR_block)];

int Tune_fire(DALProcess *p)
{
    struct filter f = filter_begin(p);

    if (!f.before || !f.in || !f.out)
        return 1;
    tune_block(f.before, f.in, f.out, VAR_block, scratch);
    filter_end(f, p);
    return 0;
}
