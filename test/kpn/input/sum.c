#include <dal.h>

typedef struct _local_states {
    long sum, count;
} Sum_State;

int sum_fire(DALProcess *p)
{
    int value;
    DAL_read(PORT_in, &value, sizeof(value), p);
    p->local->sum += value * (++p->local->count % 1000);
    return 0;
}

void sum_finish(DALProcess *p)
{
    DAL_printf("= %ld %ld\n", p->local->count, p->local->sum);
}
