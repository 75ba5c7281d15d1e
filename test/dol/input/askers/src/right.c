/* Passes on each byte that it finds when it asks. */
#include <dol.h>
#include <stdio.h>
#include <unistd.h>

typedef struct _local_states {
    int got;
} Right_State;

int right_fire(DOLProcess *p)
{
    char c;
    if (!DOL_rtest((void *)"in", 1, p))
        return 0;
    p->local->got += DOL_read((void *)"in", &c, 1, p);
    usleep(50000); /* the other one asks more than 100,000 times meanwhile */
    DOL_write((void *)"out", &c, 1, p);
    return 0;
}

void right_finish(DOLProcess *p)
{
    printf("right: %d bytes\n", p->local->got);
}
