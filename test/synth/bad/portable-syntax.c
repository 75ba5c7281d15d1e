#include "dal.h"

int Middle_fire(DALProcess *p)
{
    DAL_foreach (blk : PORT_out)
        int odd = 1 +;
    return 0;
}
