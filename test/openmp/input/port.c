/* Ports in a parallel region, first where that is right. */
#include "dal.h"

int Port_fire(DALProcess *p)
{
    int i, numbers[64];
    DAL_read(PORT_in, numbers, sizeof(numbers), p);
#pragma omp parallel
    {
#pragma omp master
        DAL_write(PORT_out, numbers, sizeof(numbers[0]), p);
    }
#pragma omp parallel for
    for (i = 0; i < 64; i++)
        DAL_write(PORT_out, &numbers[i], sizeof(numbers[i]), p);
    return 0;
}
