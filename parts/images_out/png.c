/* PNG of 8 bits, grey or in colour. */
#include "picture.h"

#include <png.h>

static void keep_error(png_structp png, png_const_charp text)
{
    snprintf(png_get_error_ptr(png), 200, "%s", text);
    png_longjmp(png, 1);
}

static void write_rows(png_structp png, png_infop info, const struct picture *picture)
{
    size_t row = (size_t)picture->width * (size_t)picture->channels;

    png_set_IHDR(png, info, picture->width, picture->height, 8,
                 picture->channels == 1 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (unsigned y = 0; y < picture->height; y++)
        png_write_row(png, picture->pixels + y * row);
    png_write_end(png, NULL);
}

int dal_part_write_png(FILE *file, const struct picture *picture, char why[200])
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, why, keep_error, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;

    if (!info) {
        snprintf(why, 200, "out of memory");
    } else if (setjmp(png_jmpbuf(png)) == 0) {
        png_init_io(png, file);
        write_rows(png, info, picture);
        png_destroy_write_struct(&png, &info);
        return 0;
    }
    png_destroy_write_struct(&png, &info);
    return -1;
}
