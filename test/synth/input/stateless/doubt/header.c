/* header.h:6 uses variable 'n', which is not constant */
#include "dal.h"
#include "header.h"
int header_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    x += parity(x);
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
