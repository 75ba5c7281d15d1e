#include "dal.h"

int copy_fire(DALProcess *p)
{
    char token[TOKEN_in_SIZE];
    DAL_read(PORT_in, token, sizeof(token), p);
    DAL_write(PORT_out, token, sizeof(token), p);
    return 0;
}
