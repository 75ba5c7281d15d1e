#include <dol.h>

typedef struct _local_states {
    int index;
} Maker_State;

int maker_fire(DOLProcess *p)
{
    int *window;
    if (DOL_reserve((void *)1, &window, 2 * sizeof(*window), p) != 8)
        return -1;
    window[0] = p->local->index++;
    window[1] = p->local->index++;
    DOL_release((void *)1, p);
    if (p->local->index == 100)
        DOL_detach(p);
    return 0;
}
