/* Find: the peaks of a block, in C: as many as there are, up to the bound. */
#include "dal.h"

#include "find.h"

int Find_fire(DALProcess *p)
{
    const int *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    int found = 0;

    for (int i = 0; i < VAR_samples && found < TOKEN_out_RATE; i++) {
        struct pulse pulse = {.at = i};
        if (!is_peak(in, i))
            continue;
        for (int k = 0; k < WIDE; k++)
            pulse.samples[k] = in[i + k - HALF];
        DAL_write(PORT_out, &pulse, sizeof(pulse), p);
        found++;
    }
    DAL_read_end(PORT_in, in, p);
    return 0;
}
