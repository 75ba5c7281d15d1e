/* Pictures as images_out hands them from its process to its writers. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdio.h>

struct picture {
    const unsigned char *pixels; /* row by row */
    unsigned width, height;
    int channels; /* bytes of a pixel: 1 or 3 */
    int quality;  /* of JPEG */
};

/* Writes a picture. Returns 0; or -1, with the reason in `why`. */
typedef int write_picture(FILE *file, const struct picture *picture, char why[200]);
write_picture dal_part_write_png, dal_part_write_jpeg;

#endif
