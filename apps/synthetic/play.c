/* Source: blocks of samples, until the parameter `tokens` is reached. */
#include "dal.h"
#include "samples.h"

struct _local_states {
    long tokens, blocks;
    float block[VAR_block];
};

void Source_init(DALProcess *p)
{
    DAL_getParameterInt("tokens", &p->local->tokens, p);
    samples_fill(p->local->block, VAR_block);
}

int Source_fire(DALProcess *p)
{
    float *out = DAL_WRITE_TOKENS(float, out, VAR_block, VAR_block, 0, p);

    samples_write(out, p->local->block, VAR_block, p->local->blocks);
    DAL_write_end(PORT_out, out, p);
    return ++p->local->blocks * VAR_block >= p->local->tokens;
}
