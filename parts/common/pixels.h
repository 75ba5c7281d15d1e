/* The formats of pixels that the parts for video have, as FFmpeg's libraries see them. */
#ifndef PIXELS_H
#define PIXELS_H

#include <libavutil/pixfmt.h>
#include <stdint.h>

/* VAR_bits, the bits of a pixel, stands for one of them. */
_Static_assert(VAR_bits == 8 || VAR_bits == 24 || VAR_bits == 12,
               "bits of a pixel are 8 (grey), 24 (rgb24) or 12 (yuv420p)");
_Static_assert(VAR_bits != 12 || (VAR_width % 2 == 0 && VAR_height % 2 == 0),
               "with 12 bits (yuv420p), width and height are even");
#define PIXEL_FORMAT                                                                               \
    (VAR_bits == 8 ? AV_PIX_FMT_GRAY8 : VAR_bits == 24 ? AV_PIX_FMT_RGB24 : AV_PIX_FMT_YUV420P)

/* Where the planes of a frame are. */
struct planes {
    uint8_t *data[4];
    int bytes[4]; /* of a row */
};

static inline struct planes planes_of(uint8_t *frame)
{
    const size_t pixels = (size_t)VAR_width * VAR_height;

    if (VAR_bits == 12)
        return (struct planes){{frame, frame + pixels, frame + pixels + pixels / 4, NULL},
                               {VAR_width, VAR_width / 2, VAR_width / 2, 0}};
    return (struct planes){{frame, NULL, NULL, NULL}, {VAR_width * VAR_bits / 8, 0, 0, 0}};
}

#endif
