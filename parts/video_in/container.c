/* The container reads by functions of our own. So a file cannot make the libraries open others, nor
 * the net. */
#include "decode.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 16 };

/* A protocol that does not exist. It marks our containers among all of the program. */
static const char mark[] = "none_of_dal_video_in";

/*
 * A demuxer that finds damage skips what it cannot read, and tells so by a message alone. Keeps the
 * first one of ours. All processes of this part have the same function, so that any may be last to
 * set it.
 */
static void keep_message(void *from, int level, const char *format, va_list values)
{
    const AVClass *class = from ? *(const AVClass **)from : NULL;
    const AVFormatContext *container = class == avformat_get_class() ? from : NULL;
    struct decoder *d = NULL;

    if (container && container->protocol_whitelist &&
        strcmp(container->protocol_whitelist, mark) == 0)
        d = container->opaque;
    if (!d) {
        av_log_default_callback(from, level, format, values);
    } else if (level <= AV_LOG_ERROR && !*d->complaint) {
        vsnprintf(d->complaint, sizeof(d->complaint), format, values);
        d->complaint[strcspn(d->complaint, "\r\n")] = '\0';
    }
}

static int read_bytes(void *opaque, uint8_t *buffer, int bytes)
{
    const struct decoder *d = opaque;
    ssize_t got = read(d->fd, buffer, (size_t)bytes);

    return got > 0 ? (int)got : got == 0 ? AVERROR_EOF : AVERROR(errno);
}

static int64_t seek_bytes(void *opaque, int64_t to, int whence)
{
    const struct decoder *d = opaque;
    off_t at;

    if (whence & AVSEEK_SIZE)
        return (int64_t)d->bytes;
    at = lseek(d->fd, (off_t)to, whence & 3);
    return at < 0 ? AVERROR(errno) : at;
}

/* Makes the container read by the functions above. */
static int attach_file(struct decoder *d)
{
    uint8_t *buffer = av_malloc(BUFFER_BYTES);

    d->container = avformat_alloc_context();
    if (d->container && buffer)
        d->container->pb =
            avio_alloc_context(buffer, BUFFER_BYTES, 0, d, read_bytes, NULL, seek_bytes);
    if (d->container && d->container->pb)
        return 0;
    av_free(buffer);
    return refuse_text(d->why, "out of memory");
}

static void detach_file(AVIOContext *file)
{
    if (file)
        av_freep(&file->buffer);
    avio_context_free(&file);
}

int dal_part_open_container(struct decoder *d)
{
    AVIOContext *file;
    int code;

    if (attach_file(d) != 0)
        return -1;
    file = d->container->pb;
    d->container->protocol_whitelist = av_strdup(mark);
    d->container->error_recognition = AV_EF_CRCCHECK | AV_EF_BUFFER | AV_EF_EXPLODE;
    code = avformat_open_input(&d->container, NULL, NULL, NULL);
    if (code < 0) {
        detach_file(file); /* the container has gone */
        return refuse_code(d->why, code);
    }
    av_log_set_callback(keep_message);
    d->container->opaque = d;
    code = avformat_find_stream_info(d->container, NULL);
    return dal_part_check_container(d, code);
}

int dal_part_check_container(struct decoder *d, int code)
{
    if (*d->complaint)
        snprintf(d->why, sizeof(d->why), "it is damaged: %s", d->complaint);
    else if (code < 0)
        refuse_code(d->why, code);
    return *d->complaint || code < 0 ? -1 : 0;
}

void dal_part_close_container(struct decoder *d)
{
    AVIOContext *file = d->container ? d->container->pb : NULL;

    avformat_close_input(&d->container);
    detach_file(file);
    if (d->fd >= 0)
        close(d->fd);
    d->fd = -1;
}
