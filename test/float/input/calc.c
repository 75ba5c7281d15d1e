#include "dal.h"
#include "calc.h"
int calc_fire(DALProcess *p)
{
    unsigned number;
    real result;
    DAL_read(PORT_in, &number, sizeof(number), p);
    result = calc(number);
    DAL_write(PORT_out, &result, sizeof(result), p);
    return 0;
}
