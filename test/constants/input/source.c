#include <dal.h>

typedef struct _local_states {
    int next;
} Source_State;

int Source_fire(DALProcess *p)
{
    int *out = DAL_WRITE_TOKENS(int, out, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    for (int i = 0; i < TOKEN_out_RATE; i++)
        out[i] = p->local->next++;
    DAL_write_end(PORT_out, out, p);
    return p->local->next >= 4000;
}
