/* Changes its state in place, and passes on what it reads. */
#include "dal.h"

int place_fire(DALProcess *p)
{
    int v;
    const int *before = DAL_READ_TOKENS(int, before, 1, p);
    int *after = DAL_WRITE_TOKENS(int, after, 1, 1, 0, p);
    DAL_read(PORT_i, &v, sizeof(v), p);
    *after = *before + v;
    DAL_write_end(PORT_after, after, p);
    DAL_read_end(PORT_before, before, p);
    DAL_write(PORT_o, &v, sizeof(v), p);
    return 0;
}
