#include <dol.h>
#include <stdio.h>

int right_fire(DOLProcess *p)
{
    double x;
    DOL_read((void *)1, &x, sizeof(x), p);
    printf("%g\n", x);
    return 0;
}
