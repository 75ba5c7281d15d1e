#include "dal.h"

static int unused;
int nowhere(void);
int Middle_fire(DALProcess *p)
{
    return p != 0 && nowhere();
}
