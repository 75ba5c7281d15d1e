/* 8 uses variable 'clock_', which is not constant */
#include "dal.h"
static const volatile int clock_ = 1;
int unsteady_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += clock_;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
