#include "dal.h"

int Grey_fire(DALProcess *p)
{
    unsigned char in[3], grey;
    DAL_READ_TOKEN(in, &in, p);
    grey = (unsigned char)((in[0] + in[1] + in[2]) / 3);
    DAL_WRITE_TOKEN(out, &grey, p);
    return 0;
}
