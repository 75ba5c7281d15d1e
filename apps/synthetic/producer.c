/*
 * Producer: tokens of 32-bit words, made from a number that comes round in the channel `state`.
 * The parameter `work` is the rounds of arithmetic for each word.
 */
#include "dal.h"
#include "work.h"

struct _local_states {
    long work;
};

void Producer_init(DALProcess *p)
{
    DAL_getParameterInt("work", &p->local->work, p);
}

int Producer_fire(DALProcess *p)
{
    uint32_t *before = DAL_read_begin(PORT_before, TOKEN_before_SIZE, TOKEN_before_RATE, p);
    uint32_t *after =
        DAL_write_begin(PORT_after, TOKEN_after_SIZE, TOKEN_after_RATE, TOKEN_after_RATE, 0, p);
    uint32_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    work_produce(out, TOKEN_out_SIZE / 4, *before, p->local->work);
    *after = *before + 1;
    DAL_write_end(PORT_out, out, p);
    DAL_write_end(PORT_after, after, p);
    DAL_read_end(PORT_before, before, p);
    return 0;
}
