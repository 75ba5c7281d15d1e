#include <dal.h>
#include <stdint.h>
#include <stdio.h>

typedef struct _local_states {
    long fired;
} Sink_State;

void sink_init(DALProcess *p)
{
    p->local->fired = 0;
}

int sink_fire(DALProcess *p)
{
    int32_t number;
    DAL_read("in", &number, sizeof(number), p);
    printf("%d\n", (int)number);
    return 0;
}

void sink_finish(DALProcess *p)
{
    (void)p;
}
