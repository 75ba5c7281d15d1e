/* 7 calls 'DAL_printf', which may keep something */
#include "dal.h"
int reports_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    DAL_printf("%d", x);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
