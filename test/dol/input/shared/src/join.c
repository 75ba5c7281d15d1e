#include <dol.h>
#include <stdio.h>

int join_fire(DOLProcess *p)
{
    short a, b;
    DOL_read((void *)"a", &a, sizeof(a), p);
    DOL_read((void *)"b", &b, sizeof(b), p);
    printf("%d %d\n", a, b);
    if (b == 9)
        DOL_detach(p);
    return 0;
}
