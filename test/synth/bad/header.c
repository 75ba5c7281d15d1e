#include "dal.h"
#include "broken.h"

int Middle_fire(DALProcess *p)
{
    return p != 0;
}
