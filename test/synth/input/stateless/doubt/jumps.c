/* 9 calls '_setjmp', which may keep something */
#include "dal.h"
#include <setjmp.h>
int jumps_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    jmp_buf here;
    x += setjmp(here);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
