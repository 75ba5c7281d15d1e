/* Interleaves the samples of several inputs. */
#include "dal.h"

int Join_fire(DALProcess *p)
{
    enum { ALL = VAR_block * VAR_channels };
    VAR_type *out = DAL_WRITE_TOKENS(VAR_type, out, ALL, ALL, 0, p);

    if (!out)
        return 1;
    for (int n = 0; n < VAR_channels; n++) {
        CREATEPORTVAR(port);
        CREATEPORT(port, "in", 1, n, VAR_channels);
        const VAR_type *in = DAL_read_begin(port, sizeof(*in), VAR_block, p);
        if (!in)
            return 1;
        for (int i = 0; i < VAR_block; i++)
            out[i * VAR_channels + n] = in[i];
        DAL_read_end(port, in, p);
    }
    DAL_write_end(PORT_out, out, p);
    return 0;
}
