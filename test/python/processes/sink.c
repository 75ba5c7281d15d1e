#include "dal.h"

#include "sum.h"

int Sink_fire(DALProcess *p)
{
    struct sum s;
    DAL_READ_TOKEN(in, &s, p);
    DAL_printf("%g %d %d %d %d %d %g\n", s.sum, s.at.a, s.at.b[0], s.at.b[2], (int)s.number, s.odd,
               s.half);
    return 0;
}
