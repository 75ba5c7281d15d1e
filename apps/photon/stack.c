/* Stack: writes sums of energies over few and more frames. Parameters: few and more, names of files
 * (files.h), empty for none. */
#include "dal.h"
#include "sums.h"

struct _local_states {
    struct record few, more;
    int broken;
};

void Stack_init(DALProcess *p)
{
    LocalState s = p->local;

    s->broken = record_create(p, &s->few, "few", "dalstack") != 0 ||
                record_create(p, &s->more, "more", "dalstack") != 0;
}

int Stack_fire(DALProcess *p)
{
    LocalState s = p->local;
    uint32_t *few, *more;
    int i, failed = 0;

    if (s->broken)
        return 1;
    few = DAL_read_begin(PORT_few, TOKEN_few_SIZE, TOKEN_few_RATE, p);
    more = DAL_read_begin(PORT_more, TOKEN_more_SIZE, 1, p);
    if (!few || !more)
        return 1;
    for (i = 0; i < TOKEN_few_RATE; i++)
        failed |= record_sum(&s->few, few + i * (TOKEN_few_SIZE / 4), VAR_few);
    failed |= record_sum(&s->more, more, VAR_more);
    DAL_read_end(PORT_few, few, p);
    DAL_read_end(PORT_more, more, p);
    if (failed)
        DAL_fail(p, "a file of sums cannot be written: %s", strerror(errno));
    s->broken = failed != 0;
    return s->broken;
}

void Stack_finish(DALProcess *p)
{
    LocalState s = p->local;
    int failed = record_finish(&s->few) | record_finish(&s->more);

    if (failed && !s->broken)
        DAL_fail(p, "a file of sums cannot be written to its end");
}
