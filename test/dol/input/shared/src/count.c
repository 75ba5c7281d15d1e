/* Nothing ends these but that nobody reads any more. */
#include <dol.h>

typedef struct _local_states {
    short next;
} Count_State;

void even_init(DOLProcess *p)
{
    p->local->next = 0;
}

void odd_init(DOLProcess *p)
{
    p->local->next = 1;
}

static int count(DOLProcess *p)
{
    DOL_write((void *)"x", &p->local->next, sizeof(short), p);
    p->local->next = (short)(p->local->next + 2);
    return 0;
}

int even_fire(DOLProcess *p)
{
    return count(p);
}

int odd_fire(DOLProcess *p)
{
    return count(p);
}
