/* 11 n */
#include "dal.h"
static int n;
int inside_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    struct {
        int *other, *at;
    } all = {.at = &n, .other = &x};
    (*all.at)++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
