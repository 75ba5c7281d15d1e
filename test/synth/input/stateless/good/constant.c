#include "dal.h"
static const int table[] = {1, 2, 3};
static const char *const names[] = {"a", "b"};
extern const int late;
const int late = 4;
int constant_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += table[x & 1] + names[x & 1][0] + late;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
