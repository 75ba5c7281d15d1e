#include "dal.h"
int Sink_fire(DALProcess *p)
{
    unsigned char token[TOKEN_in_SIZE];
    DAL_read(PORT_in, token, sizeof(token), p);
    fwrite(token, 1, sizeof(token), stdout);
    return 0;
}
