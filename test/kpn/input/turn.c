/* Sends what comes back, a number of times. */
#include <dal.h>

#include "turn.h"

typedef struct _local_states {
    long round;
} Turn_State;

int turn_fire(DALProcess *p)
{
    uint32_t pair[2];
    long rounds = 0;
    DAL_getParameterInt("rounds", &rounds, p);
    if (p->local->round++ == rounds)
        return 1;
    DAL_read(PORT_in, pair, sizeof(pair), p);
    DAL_write(PORT_out, pair, sizeof(pair), p);
    return 0;
}

void turn_finish(DALProcess *p)
{
    DAL_printf("%ld rounds\n", p->local->round - 1);
}
