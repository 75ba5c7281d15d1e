/* What all formats of streams do alike. */
#include "rt/streams/format.h"

#include "rt/base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

int dal__stream_refuse(const struct dal_stream *stream, const char *format, ...)
{
    char words[400];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof(words), format, list);
    va_end(list);
    dal_log(DAL_LOG_ERROR, "port %s: %s: %s", stream->port, stream->file, words);
    return DAL_ERR_IO;
}

const char *dal__element_name(const struct dal_stream *stream, char text[40])
{
    if (stream->tokens->type)
        snprintf(text, 40, "%s", stream->tokens->type);
    else
        snprintf(text, 40, "%" PRIu64 " bytes", dal__element_bytes(stream));
    return text;
}

int dal__stream_take(struct dal_stream *stream, void *to, size_t bytes)
{
    while (bytes > 0) {
        ssize_t got = read(stream->fd, to, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return dal__stream_refuse(stream, "%s", strerror(errno));
        if (got == 0)
            return dal__stream_refuse(stream, "it ends within its header");
        to = (char *)to + got;
        bytes -= (size_t)got;
    }
    return DAL_OK;
}
