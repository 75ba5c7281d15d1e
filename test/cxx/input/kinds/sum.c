#include "dal.h"
int Sum_fire(DALProcess *p)
{
    int x, sum = 0;
    size_t i;
    for (i = 0; i < DAL_count((void *)PORT_in, p); i++) {
        DAL_read((void *)PORT_in, &x, sizeof(x), p);
        sum += x;
    }
    DAL_write((void *)PORT_out, &sum, sizeof(sum), p);
    return 0;
}
