/* Takes interleaved samples apart. */
#include "dal.h"

int Split_fire(DALProcess *p)
{
    const VAR_type *in = DAL_READ_TOKENS(VAR_type, in, VAR_block * VAR_channels, p);

    if (!in)
        return 1;
    for (int n = 0; n < VAR_channels; n++) {
        CREATEPORTVAR(port);
        CREATEPORT(port, "out", 1, n, VAR_channels);
        VAR_type *out = DAL_write_begin(port, sizeof(*out), VAR_block, VAR_block, 0, p);
        if (!out)
            return 1;
        for (int i = 0; i < VAR_block; i++)
            out[i] = in[i * VAR_channels + n];
        DAL_write_end(port, out, p);
    }
    DAL_read_end(PORT_in, in, p);
    return 0;
}
