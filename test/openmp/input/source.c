/* Numbers that depend on nothing. */
#include "dal.h"

enum { FIRINGS = 300 };

typedef struct _local_states {
    unsigned seed;
    int fired;
} State;

int Source_fire(DALProcess *p)
{
    int i, numbers[64];
    for (i = 0; i < 64; i++) {
        p->local->seed = p->local->seed * 1664525u + 1013904223u;
        numbers[i] = (int)(p->local->seed >> 12);
    }
    DAL_write(PORT_out, numbers, sizeof(numbers), p);
    return ++p->local->fired == FIRINGS;
}
