#include "dal.h"
#include <assert.h>
int asserts_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    assert(x + 1 > x);
    const int *none = NULL;
    x += none == NULL;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
