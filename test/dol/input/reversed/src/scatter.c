#include <dol.h>

int scatter_fire(DOLProcess *p)
{
    CREATEPORTVAR(port);
    int i;
    for (i = 0; i < 8; i++) {
        CREATEPORT(port, "out", 1, i, 8);
        DOL_write((void *)port, &i, sizeof(i), p);
    }
    DOL_detach(p);
    return 0;
}
