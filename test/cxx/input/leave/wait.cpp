// Two of these in a ring wait for each other.
#include "dal.h"

#include "counted.hpp"

extern "C" int wait_fire(DALProcess *p)
{
    Counted counted(p);
    int value;
    DAL_read((void *)PORT_in, &value, sizeof(value), p);
    DAL_write((void *)PORT_out, &value, sizeof(value), p);
    return 0;
}

extern "C" void wait_finish(DALProcess *p)
{
    tell("wait", p);
}
