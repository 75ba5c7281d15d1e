/* 3 is in a source that differs from compiler to compiler */
#include "dal.h"
#if __GNUC__ >= 9
static int n;
#define NEXT n++
#else
#define NEXT 0
#endif
int compiler_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += NEXT;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
