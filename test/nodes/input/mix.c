/* What comes, with what came back from behind it. */
#include <dal.h>

#include "Mix.h"

int Mix_fire(DALProcess *p)
{
    uint64_t in[TOKEN_in_RATE], back;
    DAL_read(PORT_in, in, sizeof(in), p);
    DAL_read(PORT_back, &back, sizeof(back), p);
    for (int i = 0; i < TOKEN_in_RATE; i++)
        back = back * 31 + in[i];
    DAL_write(PORT_out, &back, sizeof(back), p);
    return 0;
}
