// Writes `count` numbers in a firing, from two calls deep; or one in each of firings without end.
#include "dal.h"

#include "counted.hpp"

#include <cstdio>

static void write_one(int i, DALProcess *p)
{
    Counted inner(p);
    DAL_write((void *)PORT_out, &i, sizeof(i), p);
}

extern "C" int Source_fire(DALProcess *p)
{
    static int firings;
    Counted outer(p);
    long count = 0;
    DAL_getParameterInt("count", &count, p);
    for (int i = 0; i == 0 || i < count; i++)
        write_one(i, p);
    if (++firings == 2)
        std::fprintf(stderr, "begun\n");
    if (count > 0)
        DAL_write((void *)PORT_side, &count, 4, p);
    return count > 0;
}

extern "C" void Source_finish(DALProcess *p)
{
    tell("Source", p);
}
