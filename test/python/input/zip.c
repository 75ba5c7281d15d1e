#include "dal.h"

int Zip_fire(DALProcess *p)
{
    float a, b;
    DAL_READ_TOKEN(a, &a, p);
    DAL_READ_TOKEN(b, &b, p);
    a += b;
    DAL_WRITE_TOKEN(sum, &a, p);
    return 0;
}
