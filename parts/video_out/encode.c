#include "encode.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 16 };

/* The library has made it constant in its version 61. */
#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef const uint8_t written_byte;
#else
typedef uint8_t written_byte;
#endif

static int write_bytes(void *opaque, written_byte *buffer, int bytes)
{
    const struct encoder *e = opaque;

    for (int done = 0; done < bytes;) {
        ssize_t n = write(e->fd, buffer + done, (size_t)(bytes - done));

        if (n < 0)
            return AVERROR(errno);
        done += (int)n;
    }
    return bytes;
}

static int64_t seek_bytes(void *opaque, int64_t to, int whence)
{
    const struct encoder *e = opaque;
    off_t at = whence & AVSEEK_SIZE ? -1 : lseek(e->fd, (off_t)to, whence & 3);

    return at < 0 ? AVERROR(EINVAL) : at;
}

static int open_container(struct encoder *e, const char *name)
{
    const AVOutputFormat *format = av_guess_format(NULL, name, NULL);
    uint8_t *buffer;

    if (!format || format->flags & AVFMT_NOFILE || format->video_codec == AV_CODEC_ID_NONE)
        return refuse_text(e->why, "its ending is none of a kind of video");
    if (avformat_alloc_output_context2(&e->container, format, NULL, NULL) < 0)
        return refuse_text(e->why, "out of memory");
    buffer = av_malloc(BUFFER_BYTES);
    if (buffer)
        e->container->pb =
            avio_alloc_context(buffer, BUFFER_BYTES, 1, e, NULL, write_bytes, seek_bytes);
    if (!e->container->pb) {
        av_free(buffer);
        return refuse_text(e->why, "out of memory");
    }
    e->container->flags |= AVFMT_FLAG_BITEXACT; /* no names of versions, no time of day */
    return 0;
}

/* What the codec takes; NULL where it does not say. */
static const enum AVPixelFormat *codec_formats(const AVCodec *codec)
{
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
    const void *list = NULL;

    if (avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_PIX_FORMAT, 0, &list, NULL) < 0)
        return NULL;
    return list;
#else
    return codec->pix_fmts;
#endif
}

static int has_format(const enum AVPixelFormat *formats, enum AVPixelFormat format)
{
    while (formats && *formats != AV_PIX_FMT_NONE)
        if (*formats++ == format)
            return 1;
    return 0;
}

/* What the codec takes that loses least. But the usual codec of a file is for what plays anywhere:
 * its colours are halved in both directions, other than those of MJPEG, which have the full range.
 */
static enum AVPixelFormat best_format(const struct encoder *e, const AVCodec *codec, int is_usual,
                                      enum AVPixelFormat wanted)
{
    const enum AVPixelFormat *formats = codec_formats(codec);

    if (wanted == AV_PIX_FMT_RGB24 && strcmp(e->container->oformat->name, "yuv4mpegpipe") == 0)
        return AV_PIX_FMT_YUV444P; /* its codec does not say what the file takes */
    if (wanted == AV_PIX_FMT_RGB24 && is_usual && codec->id != AV_CODEC_ID_MJPEG &&
        has_format(formats, AV_PIX_FMT_YUV420P) && (e->codec->width | e->codec->height) % 2 == 0)
        return AV_PIX_FMT_YUV420P;
    return formats ? avcodec_find_best_pix_fmt_of_list(formats, wanted, 0, NULL) : wanted;
}

/* Pixels of grey have the full range here, which many codecs do not take for granted. AVI has raw
 * pixels of three bytes in one order alone. */
static void choose_pixels(struct encoder *e, const AVCodec *codec, const struct video *video)
{
    AVCodecContext *c = e->codec;

    c->pix_fmt = best_format(e, codec, !*video->codec, video->format);
    if (c->pix_fmt == AV_PIX_FMT_GRAY8)
        c->color_range = AVCOL_RANGE_JPEG;
    if (codec->id == AV_CODEC_ID_RAWVIDEO && c->pix_fmt == AV_PIX_FMT_RGB24 &&
        strcmp(e->container->oformat->name, "avi") == 0)
        c->pix_fmt = AV_PIX_FMT_BGR24;
}

static int open_codec(struct encoder *e, const struct video *video)
{
    const AVCodec *codec = *video->codec ? avcodec_find_encoder_by_name(video->codec)
                                         : avcodec_find_encoder(e->container->oformat->video_codec);
    int code;

    if (!codec || codec->type != AVMEDIA_TYPE_VIDEO)
        return refuse_text(e->why, *video->codec ? "there is no such codec for video"
                                                 : "there is no codec for such files");
    e->codec = avcodec_alloc_context3(codec);
    if (!e->codec)
        return refuse_text(e->why, "out of memory");
    e->codec->width = video->width;
    e->codec->height = video->height;
    e->codec->time_base = (AVRational){1, video->rate};
    e->codec->framerate = (AVRational){video->rate, 1};
    choose_pixels(e, codec, video);
    e->codec->thread_count = 1;
    e->codec->flags |= AV_CODEC_FLAG_BITEXACT;
    e->codec->strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL; /* mjpeg of full range */
    if (e->container->oformat->flags & AVFMT_GLOBALHEADER)
        e->codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    code = avcodec_open2(e->codec, codec, NULL);
    return code < 0 ? refuse_code(e->why, code) : 0;
}

static int make_frame(struct encoder *e)
{
    int code;

    e->packet = av_packet_alloc();
    e->frame = av_frame_alloc();
    if (!e->packet || !e->frame)
        return refuse_text(e->why, "out of memory");
    e->frame->format = e->codec->pix_fmt;
    e->frame->color_range = e->codec->color_range;
    e->frame->width = e->codec->width;
    e->frame->height = e->codec->height;
    code = av_frame_get_buffer(e->frame, 0);
    return code < 0 ? refuse_code(e->why, code) : 0;
}

int dal_part_begin_video(struct encoder *e, int fd, const struct video *video)
{
    AVStream *stream;
    int code;

    *e = (struct encoder){.fd = fd};
    av_log_set_level(AV_LOG_QUIET);
    if (open_container(e, video->name) != 0 || open_codec(e, video) != 0 || make_frame(e) != 0)
        return -1;
    stream = avformat_new_stream(e->container, NULL);
    if (!stream)
        return refuse_text(e->why, "out of memory");
    stream->time_base = e->codec->time_base;
    stream->avg_frame_rate = e->codec->framerate;
    code = avcodec_parameters_from_context(stream->codecpar, e->codec);
    if (code >= 0)
        code = avformat_write_header(e->container, NULL);
    return code < 0 ? refuse_code(e->why, code) : 0;
}

/* Writes what the codec has ready. Returns 0 when it has nothing more, or -1. */
static int write_packets(struct encoder *e)
{
    const AVStream *stream = e->container->streams[0];
    int code;

    while ((code = avcodec_receive_packet(e->codec, e->packet)) >= 0) {
        e->packet->duration = 1;
        av_packet_rescale_ts(e->packet, e->codec->time_base, stream->time_base);
        e->packet->stream_index = 0;
        code = av_interleaved_write_frame(e->container, e->packet);
        if (code < 0)
            return refuse_code(e->why, code);
    }
    return code == AVERROR(EAGAIN) || code == AVERROR_EOF ? 0 : refuse_code(e->why, code);
}

int dal_part_add_frame(struct encoder *e)
{
    int code;

    e->frame->pts = e->frames++;
    code = avcodec_send_frame(e->codec, e->frame);
    return code < 0 ? refuse_code(e->why, code) : write_packets(e);
}

int dal_part_end_video(struct encoder *e)
{
    int code;

    if (!e->frames)
        return refuse_text(e->why, "there are no frames, and a video has some");
    code = avcodec_send_frame(e->codec, NULL);
    if (code < 0)
        return refuse_code(e->why, code);
    if (write_packets(e) != 0)
        return -1;
    code = av_write_trailer(e->container);
    if (code >= 0)
        avio_flush(e->container->pb);
    code = code < 0 ? code : e->container->pb->error;
    return code < 0 ? refuse_code(e->why, code) : 0;
}

void dal_part_drop_video(struct encoder *e)
{
    av_frame_free(&e->frame);
    av_packet_free(&e->packet);
    avcodec_free_context(&e->codec);
    if (e->container && e->container->pb) {
        av_freep(&e->container->pb->buffer);
        avio_context_free(&e->container->pb);
    }
    avformat_free_context(e->container);
    e->container = NULL;
}
