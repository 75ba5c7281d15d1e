#include "dal.h"

/* int Middle_fire(DALProcess *p) { return 0; } */
int Middle_fire(DALProcess *p);

int middle_fire(DALProcess *p)
{
    return Middle_fire(p);
}
