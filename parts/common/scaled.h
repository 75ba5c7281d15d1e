/* Frames of FFmpeg's libraries, in the format of a port. */
#ifndef SCALED_H
#define SCALED_H

#include "dal.h"
#include "pixels.h"

#include <libavutil/frame.h>
#include <libavutil/opt.h>
#include <libswscale/swscale.h>

struct scaled {
    struct SwsContext *scaler; /* NULL: none yet */
    int format, space, range;  /* of the frames that it is for */
};

/* Tells the scaler what a frame says about its colours that become rgb24. Of one that says nothing
 * about its range, the format tells it. */
static inline void tell_colours(struct SwsContext *scaler, const AVFrame *frame)
{
    int *from, *to, is_full, to_full, brightness, contrast, saturation;

    if (sws_getColorspaceDetails(scaler, &from, &is_full, &to, &to_full, &brightness, &contrast,
                                 &saturation) < 0)
        return;
    if (frame->color_range != AVCOL_RANGE_UNSPECIFIED)
        is_full = frame->color_range == AVCOL_RANGE_JPEG;
    sws_setColorspaceDetails(scaler, sws_getCoefficients((int)frame->colorspace), is_full, to,
                             to_full, brightness, contrast, saturation);
}

/* Makes a scaler for frames as this one, or NULL. Grey has the full range, yuv420p the limited one.
 */
static inline struct SwsContext *make_scaler(const AVFrame *frame)
{
    const struct {
        const char *name;
        int value;
    } options[] = {
        {"srcw", VAR_width},           {"srch", VAR_height},
        {"src_format", frame->format}, {"src_range", frame->color_range == AVCOL_RANGE_JPEG},
        {"dstw", VAR_width},           {"dsth", VAR_height},
        {"dst_format", PIXEL_FORMAT},  {"sws_flags", SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT},
    };
    struct SwsContext *scaler = sws_alloc_context();

    for (size_t i = 0; scaler && i < sizeof(options) / sizeof(options[0]); i++)
        av_opt_set_int(scaler, options[i].name, options[i].value, 0);
    if (scaler && sws_init_context(scaler, NULL, NULL) >= 0) {
        if (VAR_bits == 24)
            tell_colours(scaler, frame);
        return scaler;
    }
    sws_freeContext(scaler);
    return NULL;
}

/* Makes the scaler for a frame, unless the one before was like it. */
static inline void choose_scaler(struct scaled *s, const AVFrame *frame)
{
    int space = (int)frame->colorspace, range = (int)frame->color_range;

    if (s->scaler && s->format == frame->format && s->space == space && s->range == range)
        return;
    sws_freeContext(s->scaler);
    s->scaler = make_scaler(frame);
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
