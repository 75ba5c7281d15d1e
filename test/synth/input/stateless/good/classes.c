#include "dal.h"
#include <ctype.h>
int classes_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += isalpha(x & 127) + toupper(x & 127);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
