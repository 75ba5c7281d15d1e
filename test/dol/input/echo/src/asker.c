/* Asks for what comes, and for what comes back: that never closes by itself. */
#include <dol.h>
#include <stdio.h>

typedef struct _local_states {
    int got;
} Asker_State;

int asker_fire(DOLProcess *p)
{
    char c;
    if (DOL_rtest((void *)"A", 1, p)) {
        DOL_read((void *)"A", &c, 1, p);
        DOL_write((void *)"out", &c, 1, p);
    }
    if (DOL_rtest((void *)"B", 1, p))
        p->local->got += DOL_read((void *)"B", &c, 1, p);
    return 0;
}

void asker_finish(DOLProcess *p)
{
    printf("%d bytes came back\n", p->local->got);
}
