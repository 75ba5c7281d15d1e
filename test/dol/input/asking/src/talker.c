#include <dol.h>

typedef struct _local_states {
    int sent;
} Talker_State;

int talker_fire(DOLProcess *p)
{
    char c = (char)('a' + p->local->sent % 26);
    if (DOL_wtest((void *)"A", 1, p))
        DOL_write((void *)"A", &c, 1, p);
    else
        DOL_write((void *)"B", &c, 1, p);
    if (++p->local->sent == 1000)
        DOL_detach(p);
    return 0;
}
