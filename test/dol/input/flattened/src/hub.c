#include <dol.h>

int hub_fire(DOLProcess *p)
{
    int leaf;
    CREATEPORTVAR(port);
    for (leaf = 0; leaf < 2; leaf++) {
        int number = 7 + leaf;
        CREATEPORT(port, "to", 2, 0, 1, leaf, 2);
        DOL_write((void *)port, &number, sizeof(number), p);
    }
    DOL_detach(p);
    return -1;
}
