#include "dal.h"

#include "work.h"

int pass_fire(DALProcess *p)
{
    unsigned number;
    DAL_READ_TOKEN(in, &number, p);
    number = work(number, STEPS);
    DAL_WRITE_TOKEN(out, &number, p);
    return 0;
}
