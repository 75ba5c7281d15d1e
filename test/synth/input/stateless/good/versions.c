#include "dal.h"
#if defined(__GNUC__) && __GNUC__ >= 3
#define SMALL 1
#else
#define SMALL 2
#endif
int versions_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += SMALL;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
