/* 11 n */
#include "dal.h"
static int n;
static struct {
    int *other, *at;
} all = {NULL, &n};
int held_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    (*all.at)++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
