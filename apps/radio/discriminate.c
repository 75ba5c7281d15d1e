/* Discriminate: the multiplex, which is the station's frequency; the arithmetic is in angle.h. */
#include "dal.h"
#include "discriminate.h"
#include "filter.h"

int Discriminate_fire(DALProcess *p)
{
    struct filter f = filter_begin(p);

    if (!f.before || !f.in || !f.out)
        return 1;
    discriminate_block(f.before, f.in, f.out, VAR_block);
    filter_end(f, p);
    return 0;
}
