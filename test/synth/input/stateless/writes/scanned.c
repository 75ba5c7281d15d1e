/* 9 n */
#include "dal.h"
#include <stdio.h>
static int n;
int scanned_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    sscanf("5", "%d", &n);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
