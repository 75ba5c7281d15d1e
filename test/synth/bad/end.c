#include "dal.h"

int end_fire(DALProcess *p)
{
    (void)p;
    return 1;
}
