/* 17 n */
#include "dal.h"
static int n;
struct view {
    int *at;
};
static void set(struct view *view)
{
    view->at = &n;
}
int assigned_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    struct view view;
    set(&view);
    (*view.at)++;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
