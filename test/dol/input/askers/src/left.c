/* Sends ten bytes, one for each that comes back, and then only asks, as the other one does. */
#include <dol.h>
#include <stdio.h>

typedef struct _local_states {
    int got;
} Left_State;

void left_init(DOLProcess *p)
{
    p->local->got = 0;
    DOL_write((void *)"out", "a", 1, p);
}

int left_fire(DOLProcess *p)
{
    char c;
    if (!DOL_rtest((void *)"in", 1, p))
        return 0;
    p->local->got += DOL_read((void *)"in", &c, 1, p);
    if (p->local->got < 10)
        DOL_write((void *)"out", &c, 1, p);
    return 0;
}

void left_finish(DOLProcess *p)
{
    printf("left: %d bytes\n", p->local->got);
}
