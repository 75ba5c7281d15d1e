#include "dal.h"

int Add_fire(DALProcess *p)
{
    int count = (int)DAL_count(PORT_back, p), first = count == TOKEN_out_RATE;
    DAL_WINDOW const int *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, 1, p);
    DAL_WINDOW const int *back = DAL_read_begin(PORT_back, TOKEN_back_SIZE, (size_t)count, p);
    DAL_WINDOW int *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    DAL_foreach (all : PORT_out) {
        for (int i = first; i < count; i++)
            out[i - first] = back[i];
        out[count - first] = *in;
    }
    DAL_write_end(PORT_out, out, p);
    DAL_set_count(PORT_out, (size_t)(count - first + 1), p);
    DAL_read_end(PORT_back, back, p);
    DAL_read_end(PORT_in, in, p);
    return 0;
}
