#include <dol.h>
#include <stdio.h>

int pairs_fire(DOLProcess *p)
{
    int pair[2];
    DOL_read((void *)"in", pair, sizeof(pair), p);
    printf("%d\n", pair[0] + pair[1]);
    return 0;
}
