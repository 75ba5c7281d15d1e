#include "dal.h"

void helper(int value);

int Print_fire(DALProcess *p)
{
    int value;

    DAL_READ_TOKEN(in, &value, p);
    helper(value);
    return 0;
}
