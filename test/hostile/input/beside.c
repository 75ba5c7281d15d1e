#include "dal.h"
#include <fenv.h>

int beside_fire(DALProcess *p)
{
    double seen[7];
    DAL_read(PORT_in, seen, sizeof(seen), p);
    fesetround(FE_UPWARD);
    DAL_write(PORT_out, seen, sizeof(seen), p);
    return 0;
}
