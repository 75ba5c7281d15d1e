/* Writes 1, 2, and so on. The firing, or the phase, that writes number n is the last one; with n=0
 * there is none. */
#include "dal.h"

struct _local_states {
    int number;
    long last;
};

void source_init(DALProcess *p)
{
    DAL_getParameterInt("n", &p->local->last, p);
}

int source_fire(DALProcess *p)
{
    int *out = DAL_WRITE_TOKENS(int, out, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    for (int k = 0; k < TOKEN_out_RATE; k++)
        out[k] = ++p->local->number;
    DAL_write_end(PORT_out, out, p);
    return p->local->last && p->local->number >= p->local->last;
}
