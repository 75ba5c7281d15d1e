/* Find, for a core or a device. */
#include "dal.h"

#include "find.h"

int Find_fire(DALProcess *p)
{
    DAL_WINDOW const int *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_WINDOW struct pulse *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    int count = 0;

    for (int i = 0; i < VAR_samples; i++)
        count += is_peak(in, i);
    if (count > TOKEN_out_RATE)
        count = TOKEN_out_RATE;
    DAL_foreach (all : PORT_out) {
        for (int i = 0, found = 0; found < count; i++) {
            if (is_peak(in, i)) {
                out[found].at = i;
                for (int k = 0; k < WIDE; k++)
                    out[found].samples[k] = in[i + k - HALF];
                found++;
            }
        }
    }
    DAL_write_end(PORT_out, out, p);
    DAL_set_count(PORT_out, (size_t)count, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}
