/* The device gives packets, which a codec decodes: raw pixels, or JPEG. */
#include "camera.h"
#include "../common/clock.h"

#include <libavcodec/avcodec.h>
#include <libavdevice/avdevice.h>
#include <libavformat/avformat.h>
#include <time.h>

enum { LOOK_NS = 1000000 };

static int open_device(struct camera *c, const struct camera_wish *wish)
{
    const AVInputFormat *format = av_find_input_format("v4l2");
    AVDictionary *options = NULL;
    char size[32], rate[16];
    int code;

    c->device = avformat_alloc_context();
    if (!c->device)
        return refuse_text(c->why, "out of memory");
    if (!format)
        return refuse_text(c->why, "libavdevice has no Video4Linux");
    c->device->flags |= AVFMT_FLAG_NONBLOCK;
    snprintf(size, sizeof(size), "%dx%d", wish->width, wish->height);
    snprintf(rate, sizeof(rate), "%d", wish->rate);
    av_dict_set(&options, "video_size", size, 0);
    av_dict_set(&options, "framerate", rate, 0);
    if (*wish->coding)
        av_dict_set(&options, "input_format", wish->coding, 0);
    code = avformat_open_input(&c->device, wish->device, format, &options);
    av_dict_free(&options);
    return code < 0 ? refuse_code(c->why, code) : 0;
}

static int open_codec(struct camera *c)
{
    const AVCodecParameters *of = c->device->streams[0]->codecpar;
    const AVCodec *codec = avcodec_find_decoder(of->codec_id);
    int code;

    c->codec = codec ? avcodec_alloc_context3(codec) : NULL;
    c->packet = av_packet_alloc();
    c->frame = av_frame_alloc();
    if (!codec)
        return refuse_text(c->why, "there is no decoder for what it sends");
    if (!c->codec || !c->packet || !c->frame)
        return refuse_text(c->why, "out of memory");
    code = avcodec_parameters_to_context(c->codec, of);
    if (code >= 0) {
        c->codec->thread_count = 1;
        c->codec->err_recognition = AV_EF_CRCCHECK | AV_EF_BUFFER | AV_EF_EXPLODE;
        code = avcodec_open2(c->codec, codec, NULL);
    }
    return code < 0 ? refuse_code(c->why, code) : 0;
}

int dal_part_open_camera(struct camera *c, const struct camera_wish *wish)
{
    *c = (struct camera){0};
    av_log_set_level(AV_LOG_QUIET);
    avdevice_register_all();
    return open_device(c, wish) != 0 || open_codec(c) != 0 ? -1 : 0;
}

/* Reads what the camera gives next, before a time. Returns 0, 1 if nothing comes, or -1. */
static int await_packet(struct camera *c, int64_t until_ns)
{
    const struct timespec pause = {0, LOOK_NS};
    int code;

    while ((code = av_read_frame(c->device, c->packet)) == AVERROR(EAGAIN)) {
        if (now_ns() > until_ns)
            return 1;
        nanosleep(&pause, NULL);
    }
    return code < 0 ? refuse_code(c->why, code) : 0;
}

int dal_part_look(struct camera *c, long wait_ms)
{
    int64_t until_ns = now_ns() + (int64_t)wait_ms * 1000000;

    for (;;) {
        int code, is_damaged, status = await_packet(c, until_ns);

        if (status != 0)
            return status;
        is_damaged = c->packet->flags & AV_PKT_FLAG_CORRUPT;
        code = is_damaged ? 0 : avcodec_send_packet(c->codec, c->packet);
        av_packet_unref(c->packet);
        if (!is_damaged && code >= 0)
            code = avcodec_receive_frame(c->codec, c->frame);
        if (!is_damaged && code >= 0) {
            c->frames++;
            return 0;
        }
        if (code == AVERROR(ENOMEM))
            return refuse_code(c->why, code);
        c->damaged++;
        if (now_ns() > until_ns)
            return 1;
    }
}

void dal_part_close_camera(struct camera *c)
{
    av_frame_free(&c->frame);
    av_packet_free(&c->packet);
    avcodec_free_context(&c->codec);
    avformat_close_input(&c->device);
}
