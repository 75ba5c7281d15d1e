#include "dal.h"

int Keep_fire(DALProcess *p)
{
    int count = (int)DAL_count(PORT_in, p), kept = 0;
    DAL_WINDOW const unsigned *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, (size_t)count, p);
    DAL_WINDOW unsigned *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    for (int i = 0; i < count; i++) {
        kept += in[i] % 3 != 0;
        if (in[i] == (unsigned)VAR_wrong)
            kept += VAR_bound;
    }
    DAL_foreach (all : PORT_out) {
        for (int i = 0, to = 0; i < count; i++)
            if (in[i] % 3 != 0)
                out[to++] = in[i];
    }
    DAL_write_end(PORT_out, out, p);
    DAL_set_count(PORT_out, (size_t)kept, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}
