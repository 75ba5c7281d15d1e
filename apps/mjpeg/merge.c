/*
 * Merge: puts the decoders' images back into the order of the stream, for Gauss and for Screen. A
 * firing takes one image from every decoder.
 */
#include "dal.h"
#include "frame.h"

int Merge_fire(DALProcess *p)
{
    unsigned char *out;
    int i;

    out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    if (!out)
        return 1;
    for (i = 0; i < VAR_decoders; i++) {
        CREATEPORTVAR(port);
        unsigned char *image;

        CREATEPORT(port, "in", 1, i, VAR_decoders);
        image = DAL_read_begin(port, TOKEN_in_SIZE, TOKEN_in_RATE, p);
        if (!image)
            return 1;
        memcpy(out + (size_t)i * TOKEN_out_SIZE, image, TOKEN_out_SIZE);
        DAL_read_end(port, image, p);
    }
    DAL_write_end(PORT_out, out, p);
    return 0;
}
