#include "dal.h"
#include "not-there.h"

int Middle_fire(DALProcess *p)
{
    return p != 0;
}
