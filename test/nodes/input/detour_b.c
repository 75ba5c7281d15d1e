#include "dal.h"

int B_fire(DALProcess *p)
{
    int number;
    DAL_read("in", &number, sizeof(number), p);
    DAL_write("out", &number, sizeof(number), p);
    return 0;
}
