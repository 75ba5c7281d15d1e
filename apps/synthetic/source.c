/* Source: numbered tokens, as many as the parameter `tokens` says. */
#include "dal.h"
#include "pass.h"

struct _local_states {
    long tokens, sent;
};

void Source_init(DALProcess *p)
{
    DAL_getParameterInt("tokens", &p->local->tokens, p);
}

int Source_fire(DALProcess *p)
{
    unsigned char *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    pass_source(out, TOKEN_out_SIZE, (uint32_t)p->local->sent);
    DAL_write_end(PORT_out, out, p);
    return ++p->local->sent >= p->local->tokens;
}
