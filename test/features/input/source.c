/* Numbers for a pair, some hundred firings of them. */
#include "dal.h"

#ifndef FIRINGS
#define FIRINGS 600
#endif

struct _local_states {
    unsigned number;
    int fired;
};

int source_fire(DALProcess *p)
{
    int i, count = TOKEN_out_RATE;
#ifdef COUNTED
    count = p->local->fired * 5 % (TOKEN_out_RATE + 1);
#endif
#ifdef TELLS
    if (p->local->fired % 150 == 100)
        DAL_send_event("rest", p);
#endif
    for (i = 0; i < count; i++) {
        p->local->number = p->local->number * 1664525 + 1013904223;
        DAL_write(PORT_out, &p->local->number, 4, p);
    }
    return ++p->local->fired == FIRINGS;
}
