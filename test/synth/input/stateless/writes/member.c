/* 12 all */
#include "dal.h"
static struct {
    struct {
        int sum;
    } of[2];
} all;
int member_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    all.of[0].sum += x;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
