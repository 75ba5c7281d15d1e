#include <dol.h>

int left_fire(DOLProcess *p)
{
    double x = 0.5;
    DOL_write((void *)1, &x, sizeof(x), p);
    DOL_detach(p);
    return 0;
}
