#include "dal.h"
static int count;
static int others(void)
{
    return count++;
}
int beside(void);
int beside(void)
{
    return others();
}
int beside_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
