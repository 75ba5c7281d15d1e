#include "dal.h"
int Work_fire(DALProcess *p)
{
    int number, k;
    DAL_read(PORT_in, &number, sizeof(number), p);
    for (k = 0; k < number % 50; k++)
        __asm__ volatile("" ::: "memory"); /* not all take the same time */
    number *= 3;
    DAL_write(PORT_out, &number, sizeof(number), p);
    return 0;
}
