#include "dal.h"
int Sink_fire(DALProcess *p)
{
    int32_t token[4];
    DAL_read(PORT_in, token, sizeof(token), p);
    DAL_printf("%d %d %d %d\n", token[0], token[1], token[2], token[3]);
    return 0;
}
