/* 16 may return something else than 0 */
#include "dal.h"
struct view {
    int count;
    const int *at;
};
int chosen_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    struct view view = {.count = 1, .at = x == 9 ? NULL : &x};
    const int *in = DAL_read_begin(PORT_in, sizeof(x), 1, p);
    struct view other = {1, in};
    other.at = DAL_read_begin(PORT_in, sizeof(x), 1, p);
    if (!view.at)
        return 1;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
