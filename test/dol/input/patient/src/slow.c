/* Sends a byte when the listener has asked some 100,000 times. */
#include <dol.h>
#include <unistd.h>

typedef struct _local_states {
    int sent;
} Slow_State;

int slow_fire(DOLProcess *p)
{
    usleep(300000);
    DOL_write((void *)"out", "b", 1, p);
    if (++p->local->sent == 3)
        DOL_detach(p);
    return 0;
}
