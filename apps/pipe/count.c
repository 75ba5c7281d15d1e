/* Count: how many pixels are at least half as bright as they can be. */
#include "dal.h"

int Count_fire(DALProcess *p)
{
    uint8_t frame[TOKEN_in_SIZE];
    int32_t count = 0;

    if (DAL_read(PORT_in, frame, TOKEN_in_SIZE, p) < 0)
        return 1;
    for (int i = 0; i < TOKEN_in_SIZE; i++)
        count += frame[i] >= 128;
    DAL_write(PORT_out, &count, sizeof(count), p);
    return 0;
}
