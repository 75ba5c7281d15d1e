/* Numbers: `limit` firings, 0 for no end, with a pause of `pause` ms after each. */
#define _DEFAULT_SOURCE
#include <dal.h>
#include <unistd.h>

#include "Source.h"

struct _local_states {
    long limit, pause, fired;
    uint64_t next;
};

void Source_init(DALProcess *p)
{
    DAL_getParameterInt("limit", &p->local->limit, p);
    DAL_getParameterInt("pause", &p->local->pause, p);
}

int Source_fire(DALProcess *p)
{
    uint64_t numbers[TOKEN_out_RATE];
    for (int i = 0; i < TOKEN_out_RATE; i++)
        numbers[i] = 2654435761u * p->local->next++;
    DAL_write(PORT_out, numbers, sizeof(numbers), p);
    if (p->local->pause)
        usleep((useconds_t)p->local->pause * 1000);
    return ++p->local->fired == p->local->limit;
}
