#include <dol.h>

#define PORT_IN  1
#define PORT_OUT 2

int square_fire(DOLProcess *p)
{
    float x;
    DOL_read((void *)PORT_IN, &x, sizeof(float), p);
    x = x * x;
    DOL_write((void *)PORT_OUT, &x, sizeof(float), p);
    return 0;
}
