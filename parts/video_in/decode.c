/* Frames of the container's video. */
#include "decode.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/intreadwrite.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int open_codec(struct decoder *d)
{
    const AVCodec *codec = NULL;
    int code;

    d->stream = av_find_best_stream(d->container, AVMEDIA_TYPE_VIDEO, -1, -1, &codec, 0);
    if (d->stream < 0 || !codec)
        return refuse_text(d->why, "it has no video that can be decoded");
    d->codec = avcodec_alloc_context3(codec);
    d->packet = av_packet_alloc();
    d->frame = av_frame_alloc();
    if (!d->codec || !d->packet || !d->frame)
        return refuse_text(d->why, "out of memory");
    d->indexed = avformat_index_get_entries_count(d->container->streams[d->stream]);
    code = avcodec_parameters_to_context(d->codec, d->container->streams[d->stream]->codecpar);
    if (code < 0)
        return refuse_code(d->why, code);
    d->codec->thread_count = 1;
    d->codec->err_recognition = AV_EF_CRCCHECK | AV_EF_BUFFER | AV_EF_EXPLODE;
    code = avcodec_open2(d->codec, codec, NULL);
    return code < 0 ? refuse_code(d->why, code) : 0;
}

int dal_part_open_video(struct decoder *d, int fd, uint64_t bytes)
{
    *d = (struct decoder){.fd = fd, .bytes = bytes};
    av_log_set_level(AV_LOG_QUIET);
    return dal_part_open_container(d) != 0 || open_codec(d) != 0 ? -1 : 0;
}

/* AVI counts chunks without bytes as frames, which its index does not have. Is the index read, and
 * the file as long as it says? */
static int is_whole_avi(const struct decoder *d)
{
    uint8_t size[4];

    return strcmp(d->container->iformat->name, "avi") == 0 && d->indexed == d->frames &&
           pread(d->fd, size, sizeof(size), 4) == sizeof(size) && AV_RL32(size) + 8u <= d->bytes;
}

/* Has the file as much as it says? Called where it ends. */
static int check_end(struct decoder *d)
{
    const AVStream *stream = d->container->streams[d->stream];
    double wanted = (double)d->container->duration / AV_TIME_BASE;
    double frame = av_q2d(stream->avg_frame_rate) > 0 ? 1 / av_q2d(stream->avg_frame_rate) : 1;

    if (strcmp(d->container->iformat->name, "yuv4mpegpipe") == 0 && d->end < (int64_t)d->bytes)
        return refuse_text(d->why, "it ends within a frame");
    if (d->container->pb->error < 0)
        return refuse_code(d->why, d->container->pb->error);
    if (stream->nb_frames > d->packets && !is_whole_avi(d))
        snprintf(d->why, sizeof(d->why), "it ends after %lld of %lld frames", (long long)d->packets,
                 (long long)stream->nb_frames);
    else if (d->container->duration != AV_NOPTS_VALUE &&
             d->container->duration_estimation_method == AVFMT_DURATION_FROM_STREAM &&
             (d->reached > 0 || !d->packets) && d->reached + 2 * frame < wanted)
        snprintf(d->why, sizeof(d->why), "it ends after %.3f of %.3f s", d->reached, wanted);
    else
        return 0;
    return -1;
}

/* Keeps where a packet ends, in the file and in time. The duration of a file is that of all that is
 * in it, so sound counts, too. Some formats count it from 0, others from the first packet; it is
 * the later end that counts here. In AVI packets of some codecs have only a time to decode them. */
static void note_time(struct decoder *d)
{
    const AVStream *stream = d->container->streams[d->packet->stream_index];
    int64_t at = d->packet->pts != AV_NOPTS_VALUE ? d->packet->pts : d->packet->dts;
    double end;

    d->end = d->packet->pos + d->packet->size;
    d->packets += d->packet->stream_index == d->stream;
    if (at == AV_NOPTS_VALUE)
        return;
    end = (double)(at + d->packet->duration) * av_q2d(stream->time_base);
    if (d->container->start_time != AV_NOPTS_VALUE && d->container->start_time < 0)
        end -= (double)d->container->start_time / AV_TIME_BASE;
    if (end > d->reached)
        d->reached = end;
}

/* Hands the codec the next packet of the video, or its end. Returns 0, or -1. */
static int feed_codec(struct decoder *d)
{
    int code, is_ours, is_damaged;

    do {
        code = av_read_frame(d->container, d->packet);
        if (dal_part_check_container(d, code == AVERROR_EOF ? 0 : code) != 0)
            return -1;
        if (code == AVERROR_EOF) {
            d->is_at_end = 1;
            code = avcodec_send_packet(d->codec, NULL);
            return code < 0 ? refuse_code(d->why, code) : 0;
        }
        is_ours = d->packet->stream_index == d->stream;
        is_damaged = is_ours && d->packet->flags & AV_PKT_FLAG_CORRUPT;
        note_time(d);
        code = is_ours && !is_damaged ? avcodec_send_packet(d->codec, d->packet) : 0;
        av_packet_unref(d->packet);
    } while (!is_ours);
    if (is_damaged)
        return refuse_text(d->why, "it is damaged, or ends too early");
    return code < 0 ? refuse_code(d->why, code) : 0;
}

int dal_part_next_frame(struct decoder *d)
{
    int code;

    while ((code = avcodec_receive_frame(d->codec, d->frame)) == AVERROR(EAGAIN))
        if (d->is_at_end || feed_codec(d) != 0)
            return d->is_at_end ? refuse_text(d->why, "its last frame is not whole") : -1;
    if (code == AVERROR_EOF)
        return check_end(d);
    if (code < 0)
        return refuse_code(d->why, code);
    if (d->frame->flags & AV_FRAME_FLAG_CORRUPT || d->frame->decode_error_flags)
        return refuse_text(d->why, "a frame is damaged");
    d->frames++;
    return 1;
}

void dal_part_close_video(struct decoder *d)
{
    av_frame_free(&d->frame);
    av_packet_free(&d->packet);
    avcodec_free_context(&d->codec);
    dal_part_close_container(d);
}
