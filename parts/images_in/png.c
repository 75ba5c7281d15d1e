/* PNG of any kind, as red, green and blue of 8 bits. What it says of gamma is not heeded. */
#include "picture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

static void keep_error(png_structp png, png_const_charp text)
{
    snprintf(png_get_error_ptr(png), 200, "%s", text);
    png_longjmp(png, 1);
}

/* Warnings are about what is not read here. */
static void ignore_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

/* Leaves alpha out. A pixel that is transparent has no colour without what is behind it. */
static void drop_alpha(png_structp png, png_row_infop row, png_bytep data)
{
    for (size_t i = 0; i < row->width; i++) {
        if (data[4 * i + 3] != 255)
            png_error(png, "it is transparent, and such pictures are not read");
        memmove(data + 3 * i, data + 4 * i, 3);
    }
}

/* Asks for three bytes a pixel, whatever the file has. */
static void ask_for_colours(png_structp png, png_infop info)
{
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    if (png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA ||
        png_get_valid(png, info, PNG_INFO_tRNS)) {
        png_set_read_user_transform_fn(png, drop_alpha);
        png_set_user_transform_info(png, NULL, 8, 3);
    }
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

static void read_rows(png_structp png, png_infop info, unsigned char *pixels, unsigned width,
                      unsigned height)
{
    int passes;

    png_read_info(png, info);
    if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height) {
        snprintf(png_get_error_ptr(png), 200, "it has %u x %u pixels, and not %u x %u",
                 png_get_image_width(png, info), png_get_image_height(png, info), width, height);
        png_longjmp(png, 1);
    }
    passes = png_get_interlace_type(png, info) == PNG_INTERLACE_ADAM7 ? 7 : 1;
    ask_for_colours(png, info);
    for (int pass = 0; pass < passes; pass++)
        for (unsigned y = 0; y < height; y++)
            png_read_row(png, pixels + (size_t)y * width * 3, NULL);
    png_read_end(png, NULL);
}

int dal_part_read_png(FILE *file, unsigned char *pixels, unsigned width, unsigned height,
                      char why[200])
{
    png_structp png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, why, keep_error, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    int status = -1;

    if (!info) {
        snprintf(why, 200, "out of memory");
    } else if (setjmp(png_jmpbuf(png)) == 0) {
        png_init_io(png, file);
        read_rows(png, info, pixels, width, height);
        png_destroy_read_struct(&png, &info, NULL);
        return 0;
    }
    png_destroy_read_struct(&png, &info, NULL);
    return status;
}
