#include <dol.h>
#include <stdio.h>

int leaf_fire(DOLProcess *p)
{
    int number;
    DOL_read((void *)"in", &number, sizeof(number), p);
    printf("leaf %d %d of %d: %d\n", GETINDEX(0), GETINDEX(1), GETINDEX(2), number);
    return 0;
}
