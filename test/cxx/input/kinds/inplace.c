#include "dal.h"
int Inplace_fire(DALProcess *p)
{
    const int *before = DAL_READ_TOKENS(int, before, 1, p);
    int *after = DAL_WRITE_TOKENS(int, after, 1, 1, 0, p);
    int x;
    DAL_READ_TOKEN(in, &x, p);
    *after = *before + x;
    DAL_write_end(PORT_after, after, p);
    DAL_read_end(PORT_before, before, p);
    DAL_WRITE_TOKEN(out, &x, p);
    return 0;
}
