/* Writes 0, 1, 2, ... in 64 firings, half a window after the other. */
#include "dal.h"

struct _local_states {
    int firing;
};

int ramp_windows_fire(DALProcess *p)
{
    int half = TOKEN_out_RATE / 2;
    if (p->local->firing == 64)
        return 1;
    for (int block = 0; block < 2; block++) {
        int *out = DAL_write_begin(PORT_out, sizeof(int), TOKEN_out_RATE, TOKEN_out_RATE / 2,
                                   (unsigned)block, p);
        for (int i = 0; i < half; i++)
            out[i] = (2 * p->local->firing + block) * half + i;
        DAL_write_end(PORT_out, out, p);
    }
    p->local->firing++;
    return 0;
}
