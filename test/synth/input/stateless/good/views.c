#include "dal.h"
struct view {
    const int *at;
    int count;
};
static int sum(const struct view *view)
{
    int all = 0;
    for (int i = 0; i < view->count; i++)
        all += view->at[i];
    return all;
}
int views_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    int some[2] = {x, 1};
    struct view view = {some, 2};
    x = sum(&view);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
