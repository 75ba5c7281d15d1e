#include <dol.h>
#include <stdio.h>

typedef struct _local_states {
    int got[2];
} Listener_State;

int listener_fire(DOLProcess *p)
{
    char c;
    if (DOL_rtest((void *)"A", 1, p))
        p->local->got[0] += DOL_read((void *)"A", &c, 1, p);
    if (DOL_rtest((void *)"B", 1, p))
        p->local->got[1] += DOL_read((void *)"B", &c, 1, p);
    return 0;
}

void listener_finish(DOLProcess *p)
{
    printf("%d bytes\n", p->local->got[0] + p->local->got[1]);
}
