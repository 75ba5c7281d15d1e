/* JPEG, as red, green and blue. A file that is damaged or ends too early is an error: libjpeg alone
 * would warn, and make up the rest. */
#include "picture.h"
#include "../common/jpeg_fault.h"

static void leave_at_warning(j_common_ptr jpeg, int level)
{
    if (level < 0)
        leave_jpeg(jpeg);
}

static int read_rows(struct jpeg_decompress_struct *jpeg, unsigned char *pixels, unsigned width,
                     unsigned height, char why[200])
{
    jpeg_read_header(jpeg, TRUE);
    if (jpeg->image_width != width || jpeg->image_height != height) {
        snprintf(why, 200, "it has %u x %u pixels, and not %u x %u", jpeg->image_width,
                 jpeg->image_height, width, height);
        return -1;
    }
    jpeg->out_color_space = JCS_RGB;
    jpeg->dct_method = JDCT_ISLOW;
    jpeg_start_decompress(jpeg);
    while (jpeg->output_scanline < height) {
        JSAMPROW row = pixels + (size_t)jpeg->output_scanline * width * 3;

        jpeg_read_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_decompress(jpeg);
    return 0;
}

int dal_part_read_jpeg(FILE *file, unsigned char *pixels, unsigned width, unsigned height,
                       char why[200])
{
    struct fault fault = {.why = why};
    struct jpeg_decompress_struct jpeg = {.err = jpeg_std_error(&fault.errors)};
    volatile int status = -1;

    fault.errors.error_exit = leave_jpeg;
    fault.errors.emit_message = leave_at_warning;
    if (setjmp(fault.back) == 0) {
        jpeg_create_decompress(&jpeg);
        /* A progressive picture is kept as coefficients: up to 6 bytes a pixel. */
        jpeg.mem->max_memory_to_use = (64L << 20) + 8L * (long)width * (long)height;
        jpeg_stdio_src(&jpeg, file);
        status = read_rows(&jpeg, pixels, width, height, why);
    }
    jpeg_destroy_decompress(&jpeg);
    return status;
}
