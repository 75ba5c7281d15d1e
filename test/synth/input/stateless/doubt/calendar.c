/* 9 calls 'localtime', which may keep something */
#include "dal.h"
#include <time.h>
int calendar_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    time_t now = x;
    x += localtime(&now)->tm_sec;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
