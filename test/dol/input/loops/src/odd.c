#include <dol.h>
#include <stdio.h>

int odd_fire(DOLProcess *p)
{
    int number;
    DOL_read((void *)"from", &number, sizeof(number), p);
    printf("odd %d %d: %d\n", GETINDEX(0), GETINDEX(1), number);
    return 0;
}
