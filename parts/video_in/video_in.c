/* Read: the frames of a video, one a firing, in the format that was asked for. */
#include "dal.h"
#include "../common/input_file.h"
#include "../common/pixels.h"
#include "decode.h"

#include <libswscale/swscale.h>

struct _local_states {
    const char *name;
    struct decoder decoder;
    int is_open;
    struct SwsContext *scaler;
    int format, space, range; /* of the frames that it is for */
};

void Read_init(DALProcess *p)
{
    LocalState s = p->local;
    uint64_t bytes;
    int fd;

    s->name = DAL_getParameter("file", p);
    fd = open_input(s->name, &bytes, p);
    if (fd < 0)
        return;
    s->is_open = 1;
    if (dal_part_open_video(&s->decoder, fd, bytes) != 0) {
        DAL_fail(p, "%s: %s", s->name, s->decoder.why);
        dal_part_close_video(&s->decoder);
        s->is_open = 0;
    }
}

/* Makes the scaler for a frame, unless the one before was like it. Of colours that become rgb24, it
 * heeds what the file says about them. */
static void choose_scaler(LocalState s, const AVFrame *frame)
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

/* Converts the decoded frame. Returns 0, or -1 after DAL_fail(). */
static int convert_frame(uint8_t *out, DALProcess *p)
{
    LocalState s = p->local;
    const AVFrame *frame = s->decoder.frame;
    struct planes planes = planes_of(out);

    if (frame->width != VAR_width || frame->height != VAR_height) {
        DAL_fail(p, "%s: frame %lld has %d x %d pixels, and not %d x %d", s->name,
                 (long long)s->decoder.frames, frame->width, frame->height, VAR_width, VAR_height);
        return -1;
    }
    choose_scaler(s, frame);
    if (s->scaler && sws_scale(s->scaler, (const uint8_t *const *)frame->data, frame->linesize, 0,
                               VAR_height, planes.data, planes.bytes) == VAR_height)
        return 0;
    DAL_fail(p, "%s: its pixels cannot be converted", s->name);
    return -1;
}

int Read_fire(DALProcess *p)
{
    LocalState s = p->local;
    uint8_t *out;
    int more;

    if (!s->is_open)
        return 1;
    more = dal_part_next_frame(&s->decoder);
    if (more < 0)
        DAL_fail(p, "%s: %s", s->name, s->decoder.why);
    if (more <= 0)
        return 1;
    out = DAL_write_begin(PORT_out, TOKEN_out_SIZE, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);
    if (!out || convert_frame(out, p) != 0)
        return 1;
    DAL_write_end(PORT_out, out, p);
    return 0;
}

void Read_finish(DALProcess *p)
{
    sws_freeContext(p->local->scaler);
    if (p->local->is_open)
        dal_part_close_video(&p->local->decoder);
}
