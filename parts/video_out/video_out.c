/* Write: a video of the frames that come, one a firing. */
#include "dal.h"
#include "../common/output_file.h"
#include "../common/pixels.h"
#include "encode.h"

#include <libswscale/swscale.h>

struct _local_states {
    struct output_file output;
    struct encoder encoder;
    struct SwsContext *scaler;
    int is_open; /* no call has failed */
};

static int refuse_encoding(DALProcess *p)
{
    LocalState s = p->local;

    DAL_fail(p, "%s cannot be written: %s", s->output.name, s->encoder.why);
    s->is_open = 0;
    return -1;
}

void Write_init(DALProcess *p)
{
    LocalState s = p->local;
    const char *codec = DAL_getParameter("codec", p);
    struct video video = {DAL_getParameter("file", p),
                          codec ? codec : "",
                          VAR_width,
                          VAR_height,
                          VAR_rate,
                          PIXEL_FORMAT};

    s->output.fd = -1;
    if (open_output(&s->output, video.name, p) != 0)
        return;
    s->is_open = 1;
    if (dal_part_begin_video(&s->encoder, s->output.fd, &video) != 0) {
        refuse_encoding(p);
        return;
    }
    s->scaler = sws_getContext(VAR_width, VAR_height, PIXEL_FORMAT, VAR_width, VAR_height,
                               (enum AVPixelFormat)s->encoder.frame->format,
                               SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT, NULL, NULL, NULL);
    if (s->scaler)
        return;
    DAL_fail(p, "%s: its codec takes no such pixels", video.name);
    s->is_open = 0;
}

static int add_frame(const uint8_t *in, DALProcess *p)
{
    LocalState s = p->local;
    AVFrame *frame = s->encoder.frame;
    struct planes planes = planes_of((uint8_t *)in);

    if (av_frame_make_writable(frame) < 0 ||
        sws_scale(s->scaler, (const uint8_t *const *)planes.data, planes.bytes, 0, VAR_height,
                  frame->data, frame->linesize) != VAR_height) {
        DAL_fail(p, "%s: a frame cannot be converted", s->output.name);
        s->is_open = 0;
        return -1;
    }
    return dal_part_add_frame(&s->encoder) != 0 ? refuse_encoding(p) : 0;
}

int Write_fire(DALProcess *p)
{
    const uint8_t *in = DAL_read_begin(PORT_in, TOKEN_in_SIZE, TOKEN_in_RATE, p);

    if (!in || !p->local->is_open || add_frame(in, p) != 0)
        return 1;
    DAL_read_end(PORT_in, in, p);
    return 0;
}

void Write_finish(DALProcess *p)
{
    LocalState s = p->local;
    int is_whole = s->is_open && !DAL_has_failed(p);

    if (is_whole && dal_part_end_video(&s->encoder) != 0) {
        refuse_encoding(p);
        is_whole = 0;
    }
    sws_freeContext(s->scaler);
    dal_part_drop_video(&s->encoder);
    if (s->output.fd >= 0)
        close_output(&s->output, is_whole, p);
}
