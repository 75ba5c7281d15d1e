#include "own.h"

int teller_fire(DOLProcess *p)
{
    int number = 0x00000003;
    DOL_write((void *)"out", &number, sizeof(number), p);
    return -1;
}
