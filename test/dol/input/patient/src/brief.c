#include <dol.h>

int brief_fire(DOLProcess *p)
{
    DOL_write((void *)"out", "a", 1, p);
    DOL_detach(p);
    return 0;
}
