/* `initial` zeroes, then 1, 2 and so on. Number n is the last that it reads; 0: there is none. */
#include "dal.h"

struct _local_states {
    int count, wrong;
    long initial, last;
};

void sink_init(DALProcess *p)
{
    DAL_getParameterInt("initial", &p->local->initial, p);
    DAL_getParameterInt("n", &p->local->last, p);
}

int sink_fire(DALProcess *p)
{
    int tokens[TOKEN_in_RATE];
    DAL_read(PORT_in, tokens, sizeof(tokens), p);
    for (int k = 0; k < TOKEN_in_RATE; k++) {
        long number = ++p->local->count - p->local->initial;
        p->local->wrong += tokens[k] != (number > 0 ? number : 0);
    }
    return p->local->last && p->local->count - p->local->initial >= p->local->last;
}

void sink_finish(DALProcess *p)
{
    DAL_printf("%s: %d numbers, %d wrong\n", DAL_getParameter("name", p), p->local->count,
               p->local->wrong);
}
