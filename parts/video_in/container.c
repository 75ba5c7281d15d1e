/* The container reads by functions of our own. So a file cannot make the libraries open others, nor
 * the net. */
#include "decode.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 16 };

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
    d->container->protocol_whitelist = av_strdup("none");
    d->container->error_recognition = AV_EF_CRCCHECK | AV_EF_BUFFER | AV_EF_EXPLODE;
    code = avformat_open_input(&d->container, NULL, NULL, NULL);
    if (code < 0) {
        detach_file(file); /* the container has gone */
        return refuse_code(d->why, code);
    }
    code = avformat_find_stream_info(d->container, NULL);
    return code < 0 ? refuse_code(d->why, code) : 0;
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
