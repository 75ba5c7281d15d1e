#include "dal.h"

int Twice_fire(DALProcess *p)
{
    size_t count = DAL_count(PORT_in, p);
    const unsigned *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, count, p);

    for (size_t i = 0; i < 2 * count; i++) {
        unsigned pair[2] = {in[i / 2], (unsigned)i};
        DAL_write(PORT_out, pair, sizeof(pair), p);
    }
    DAL_read_end(PORT_in, in, p);
    return 0;
}
