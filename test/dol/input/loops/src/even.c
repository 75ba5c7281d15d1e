#include <dol.h>

int even_fire(DOLProcess *p)
{
    int i = GETINDEX(0), k;
    CREATEPORTVAR(port);
    for (k = 0; k < 2; k++) {
        int out = 2 * i + 2 * k;
        CREATEPORT(port, "to", 1, out, 10);
        DOL_write((void *)port, &out, sizeof(out), p);
    }
    return -1;
}
