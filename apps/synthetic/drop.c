/* Drop: takes tokens, and does nothing with them. */
#include "dal.h"

int Drop_fire(DALProcess *p)
{
    void *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);

    DAL_read_end(PORT_in, in, p);
    return 0;
}
