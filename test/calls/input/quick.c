/* Passes pairs on; nothing but this is in it, so that the loop around it is of one piece. */
#include <dal.h>

static void pass_on(int k, DALProcess *p)
{
    int32_t number = 0;
    DAL_READ_TOKEN(in, &number, p);
    number += k - k;
    DAL_WRITE_TOKEN(out, &number, p);
}

int quick_fire(DALProcess *p)
{
    pass_on(0, p);
    pass_on(1, p);
    return 0;
}
