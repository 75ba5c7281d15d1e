#include "dal.h"

int sink_fire(DALProcess *p)
{
    unsigned number;
    DAL_READ_TOKEN(in, &number, p);
    return 0;
}
