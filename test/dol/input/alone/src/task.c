#include <dol.h>
#include <stdio.h>

typedef struct _local_states {
    int index;
} Task_State;

int task_fire(DOLProcess *p)
{
    if (++p->local->index == 10 + GETINDEX(0))
        DOL_detach(p);
    if (p->local->index >= 10 + GETINDEX(0))
        printf("task_%d: %d times, %d\n", GETINDEX(0), p->local->index, GETINDEX(1));
    return 0;
}
