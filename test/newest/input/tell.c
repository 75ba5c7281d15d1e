/* Writes its index and each number: as many as the parameter `count` says, or all. */
#include <dal.h>
#include <stdint.h>
#include <stdio.h>

typedef struct _local_states {
    long count, fired;
} Tell_State;

void tell_init(DALProcess *p)
{
    p->local->fired = 0;
    DAL_getParameterInt("count", &p->local->count, p);
}

int tell_fire(DALProcess *p)
{
    int32_t number;
    DAL_read("in", &number, sizeof(number), p);
    printf("%d %d\n", DAL_getIndex(0, p), (int)number);
    return ++p->local->fired == p->local->count;
}

void tell_finish(DALProcess *p)
{
    (void)p;
}
