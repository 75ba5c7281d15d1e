#include <dal.h>

typedef struct _local_states {
    long fired;
} Scale_State;

void scale_init(DALProcess *p)
{
    p->local->fired = 0;
}

int scale_fire(DALProcess *p)
{
    int number;
    long factor;
    double offset;
    if (DAL_getParameterInt("factor", &factor, p) || DAL_getParameterDouble("offset", &offset, p))
        return 1;
    DAL_read("in", &number, sizeof(number), p);
    number = number * (int)factor + (int)(2 * offset);
    DAL_write("out", &number, sizeof(number), p);
    return 0;
}

void scale_finish(DALProcess *p)
{
    (void)p;
}
