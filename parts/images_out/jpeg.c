/* JPEG, grey or in colour. */
#include "picture.h"
#include "../common/jpeg_fault.h"

static void write_rows(struct jpeg_compress_struct *jpeg, const struct picture *picture)
{
    size_t bytes = (size_t)picture->width * (size_t)picture->channels;

    jpeg->image_width = picture->width;
    jpeg->image_height = picture->height;
    jpeg->input_components = picture->channels;
    jpeg->in_color_space = picture->channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, picture->quality, TRUE);
    jpeg_start_compress(jpeg, TRUE);
    while (jpeg->next_scanline < picture->height) {
        JSAMPROW row = (JSAMPROW)picture->pixels + jpeg->next_scanline * bytes;

        jpeg_write_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_compress(jpeg);
}

int dal_part_write_jpeg(FILE *file, const struct picture *picture, char why[200])
{
    struct fault fault = {.why = why};
    struct jpeg_compress_struct jpeg = {.err = jpeg_std_error(&fault.errors)};
    volatile int status = -1;

    fault.errors.error_exit = leave_jpeg;
    if (setjmp(fault.back) == 0) {
        jpeg_create_compress(&jpeg);
        jpeg_stdio_dest(&jpeg, file);
        write_rows(&jpeg, picture);
        status = 0;
    }
    jpeg_destroy_compress(&jpeg);
    return status;
}
