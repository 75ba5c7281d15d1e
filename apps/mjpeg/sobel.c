/*
 * Sobel: magnitude of an image's gradient; the arithmetic is in sobel.h. Opticalflow
 * reads the result twice: now, and as the image before the next one.
 */
#include "dal.h"
#include "frame.h"
#include "sobel.h"

/* Not state: a firing finds nothing of the one before. */
static _Thread_local int16_t scratch[SOBEL_SCRATCH(VAR_width)];

int Sobel_fire(DALProcess *p)
{
    unsigned char *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);
    unsigned char *out =
        DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    int valid;

    if (!in || !out)
        return 1;
    valid = image_valid(in, TOKEN_in_SIZE);
    if (valid)
        sobel_image(in, out, VAR_width, VAR_height, scratch);
    image_set_valid(out, TOKEN_out_SIZE, valid);
    DAL_read_end(PORT_in, in, p);
    DAL_write_end(PORT_out, out, p);
    return 0;
}
