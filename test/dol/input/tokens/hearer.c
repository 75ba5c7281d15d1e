#include "own.h"

#include <stdio.h>

int hearer_fire(DOLProcess *p)
{
    int numbers[3];
    DOL_read((void *)"in", numbers, sizeof(numbers), p);
    printf("%d %d %d\n", numbers[0], numbers[1], numbers[2]);
    return 0;
}
