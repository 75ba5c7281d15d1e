/* 8 text */
#include "dal.h"
static char text[32];
int printed_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    snprintf(text, sizeof(text), "%d", x);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
