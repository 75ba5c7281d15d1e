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
    int numbers[3];
    DAL_read("in", numbers, sizeof(numbers), p);
    printf("%d\n%d\n%d\n", numbers[0], numbers[1], numbers[2]);
    return 0;
}

void sink_finish(DALProcess *p)
{
    (void)p;
}
