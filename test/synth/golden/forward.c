/* Hands on what it gets, whatever that is: used by processes of different names and sizes. */
#include "dal.h"

int forward_fire(DALProcess *p)
{
    char token[TOKEN_in_SIZE];

    DAL_read(PORT_in, token, TOKEN_in_SIZE, p);
    DAL_write(PORT_out, token, TOKEN_out_SIZE, p);
    return 0;
}
