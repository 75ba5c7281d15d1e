/* 9 is in a source that may set a table of the library */
#include "dal.h"
#include <ctype.h>
static const unsigned short all[384];
int letters_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    const unsigned short **at = __ctype_b_loc();
    *at = all + 128;
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
