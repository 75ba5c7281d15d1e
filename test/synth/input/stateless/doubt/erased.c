/* 12 has an attribute that is not known here */
#include "dal.h"
static int seen;
static void done_unused(int *at)
{
    seen += *at;
}
int erased_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    int y __attribute__((cleanup(done_unused))) = x;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
