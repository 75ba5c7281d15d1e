#include "dal.h"

int Middle_fire(DALProcess *p)
{
    return p->nothing;
}
