/* Pictures as images_in hands them from its readers to its process. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdio.h>

/* Reads a picture of red, green and blue, 3 bytes a pixel, from the beginning of a file. Writes
 * width * height pixels. Returns 0; or -1, with the reason in `why`. */
typedef int read_picture(FILE *file, unsigned char *pixels, unsigned width, unsigned height,
                         char why[200]);
read_picture dal_part_read_png, dal_part_read_jpeg;

#endif
