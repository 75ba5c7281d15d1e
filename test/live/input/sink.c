#include <dal.h>
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
    int number;
    DAL_read("in", &number, sizeof(number), p);
    printf("%d\n", number);
    return 0;
}

void sink_finish(DALProcess *p)
{
    (void)p;
}
