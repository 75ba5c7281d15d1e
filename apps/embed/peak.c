/* Finds the largest sample of a block. */
#include "dal.h"

int Peak_fire(DALProcess *p)
{
    const float *in = DAL_READ_TOKENS(float, in, TOKEN_in_RATE, p);
    float peak;

    if (!in)
        return 1;
    peak = in[0];
    for (int i = 1; i < TOKEN_in_RATE; i++)
        peak = in[i] > peak ? in[i] : peak;
    DAL_read_end(PORT_in, in, p);
    DAL_WRITE_TOKEN(out, &peak, p);
    return 0;
}
