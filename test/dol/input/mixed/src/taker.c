#include <dol.h>

int taker_fire(DOLProcess *p)
{
    char c;
    return DOL_read((void *)"in", &c, 1, p) != 1;
}
