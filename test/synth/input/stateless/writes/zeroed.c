/* 9 past */
#include "dal.h"
#include <strings.h>
static int past[4];
int zeroed_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    bzero(past, sizeof(past));
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
