#include "dal.h"
enum { FINE };
int ends_fire(DALProcess *p)
{
    int x = 0;
    DAL_read(PORT_in, &x, sizeof(x), p);
    if (x > 5) {
        DAL_write(PORT_out, &x, sizeof(x), p);
        return FINE;
    }
    DAL_write(PORT_out, &x, sizeof(x), p);
    return 0;
}
