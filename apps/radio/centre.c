/* Centre: a recording's unsigned bytes become signed ones, of which zeros are silence. */
#include "dal.h"

#include <stdint.h>

int Centre_fire(DALProcess *p)
{
    const uint8_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    uint8_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    if (!in || !out)
        return 1;
    for (int i = 0; i < TOKEN_out_RATE * TOKEN_out_SIZE; i++)
        out[i] = in[i] ^ 0x80;
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
