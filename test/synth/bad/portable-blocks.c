#include "dal.h"

int Middle_fire(DALProcess *p)
{
    DAL_WINDOW const int *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    DAL_WINDOW int *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, 1, 0, p);
    int sum = 0, table[4], k;

    for (k = 0; k < 4; k++)
        table[k] = in[0];
    out[0] = 1;
    *out = 2;
    DAL_foreach (blk : PORT_out) {
        int inner = 0, more[2] = {[1] = 5};

        for (int i = 0; i < 4; i++) {
            if (in[i] > 7)
                break;
            inner += table[i];
        }
        more[0] = inner;
        sum += more[0];
        table[1] = 2;
        k++;
        out[blk] = sum == 3 && inner >= 2 ? inner <= 1 : inner != 1;
        if (inner > 5)
            break;
        if (inner > 4)
            return 0;
        DAL_read_end(PORT_in, in, p);
        out[1] <<= 3;
        --sum;
    }
    DAL_foreach (blk : PORT_in)
        sum = blk;
    DAL_foreach (blk, PORT_out)
        DAL_foreach (other : PORT_out)
            out[blk] = other;
    DAL_write_end(PORT_out, out, p);
    return sum;
}
