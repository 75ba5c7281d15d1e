#include "dal.h"
int stage_fire(DALProcess *p)
{
    int pair[2];
    DAL_read(PORT_in, pair, sizeof(pair), p);
    pair[0] = 3 * pair[0] - pair[1];
    pair[1] = pair[1] ^ 21;
    DAL_write(PORT_out, pair, sizeof(pair), p);
    return 0;
}
