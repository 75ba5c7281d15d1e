/* What it reads goes to both of its ports. Number n is the last that it reads; 0: there is none. */
#include "dal.h"

struct _local_states {
    long last;
};

void pass_init(DALProcess *p)
{
    DAL_getParameterInt("n", &p->local->last, p);
}

int pass_fire(DALProcess *p)
{
    int tokens[TOKEN_in_RATE];
    DAL_read(PORT_in, tokens, sizeof(tokens), p);
    DAL_write(PORT_out, tokens, sizeof(tokens), p);
    DAL_write(PORT_aside, tokens, sizeof(tokens), p);
    return p->local->last && tokens[TOKEN_in_RATE - 1] >= p->local->last;
}
