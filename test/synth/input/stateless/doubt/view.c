/* 13 may return something else than 0 */
#include "dal.h"
struct view {
    const char *at;
};
int view_fire(DALProcess *p)
{
    char x[4];
    DAL_read(PORT_in, x, sizeof(x), p);
    struct view v = {x[0] == 9 ? x : 0};
    DAL_write(PORT_out, x, sizeof(x), p);
    if (v.at)
        return 1;
    return 0;
}
