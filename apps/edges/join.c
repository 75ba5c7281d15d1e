/* Puts two pictures side by side. */
#include "dal.h"
#include <string.h>

int Join_fire(DALProcess *p)
{
    uint8_t *out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, 1, 1, 0, p);

    for (int i = 0; i < 2; i++) {
        const uint8_t *in;
        CREATEPORTVAR(port);
        CREATEPORT(port, PORT_in, 1, i, 2);
        in = DAL_read_begin(port, VAR_width * VAR_height, 1, p);
        for (int y = 0; y < VAR_height; y++)
            memcpy(out + (2 * y + i) * VAR_width, in + y * VAR_width, VAR_width);
        DAL_read_end(port, in, p);
    }
    DAL_write_end(PORT_out, out, p);
    return 0;
}
