/* Frames of FFmpeg's libraries, in the format of a port. */
#ifndef SCALED_H
#define SCALED_H

#include "dal.h"
#include "pixels.h"

#include <libavutil/frame.h>
#include <libswscale/swscale.h>

struct scaled {
    struct SwsContext *scaler; /* NULL: none yet */
    int format, space, range;  /* of the frames that it is for */
};

/* Makes the scaler for a frame, unless the one before was like it. Of colours that become rgb24, it
 * heeds what the frame says about them. */
static inline void choose_scaler(struct scaled *s, const AVFrame *frame)
{
    int space = (int)frame->colorspace, range = frame->color_range == AVCOL_RANGE_JPEG;

    if (s->scaler && s->format == frame->format && s->space == space && s->range == range)
        return;
    sws_freeContext(s->scaler);
    s->scaler = sws_getContext(VAR_width, VAR_height, (enum AVPixelFormat)frame->format, VAR_width,
                               VAR_height, PIXEL_FORMAT,
                               SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT, NULL, NULL, NULL);
    if (s->scaler && VAR_bits == 24)
        sws_setColorspaceDetails(s->scaler, sws_getCoefficients(space), range,
                                 sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16);
    s->format = frame->format;
    s->space = space;
    s->range = range;
}

/* Converts a frame, the number-th of `name`, from 1. Returns 0, or -1 after DAL_fail(). */
static inline int convert_frame(struct scaled *s, const AVFrame *frame, uint8_t *out,
                                const char *name, int64_t number, DALProcess *p)
{
    struct planes planes = planes_of(out);

    if (frame->width != VAR_width || frame->height != VAR_height) {
        DAL_fail(p, "%s: frame %lld has %d x %d pixels, and not %d x %d", name, (long long)number,
                 frame->width, frame->height, VAR_width, VAR_height);
        return -1;
    }
    choose_scaler(s, frame);
    if (s->scaler && sws_scale(s->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0,
                               VAR_height, planes.data, planes.bytes) == VAR_height)
        return 0;
    DAL_fail(p, "%s: its pixels cannot be converted", name);
    return -1;
}

#endif
