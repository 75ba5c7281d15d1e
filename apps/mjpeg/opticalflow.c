/*
 * Opticalflow: how far each region has moved since the image before; the arithmetic is in flow.h.
 * The first image has none before it (the initial token of `previous` holds no picture): its
 * result is black.
 */
#include "dal.h"
#include "flow.h"
#include "frame.h"

/* Not state: a firing finds nothing of the one before. */
static _Thread_local float scratch[FLOW_SCRATCH(VAR_width)];

int Opticalflow_fire(DALProcess *p)
{
    unsigned char *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    unsigned char *previous =
        DAL_read_begin(PORT_previous, TOKEN_previous_SIZE, TOKEN_previous_RATE, p);
    unsigned char *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    int valid;

    if (!in || !previous || !out)
        return 1;
    valid = image_valid(in, TOKEN_in_SIZE);
    if (valid && image_valid(previous, TOKEN_previous_SIZE))
        flow_image(in, previous, out, VAR_width, VAR_height, scratch);
    else
        memset(out, 0, (size_t)VAR_width * VAR_height);
    image_set_valid(out, TOKEN_out_SIZE, valid);
    DAL_read_end(PORT_in, in, p);
    DAL_read_end(PORT_previous, previous, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
