/*
 * A stream whose text is in memory, like that of open_memstream(). The latter drops bytes when
 * memory is exhausted: neither ferror() nor fclose() tells, and the text has a gap. This one tells.
 *
 * The memory is the C library's, so that libdal-live can use it as well.
 */
#pragma once

#ifndef _GNU_SOURCE
#error "fopencookie() wants _GNU_SOURCE"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dal_memory_stream {
    FILE *file; /* to be written to; NULL: there was no memory */
    char *text;
    size_t bytes, room;
    int failed;
};

/* Appends bytes that stdio hands on: all or none. */
static inline ssize_t dal__memory_take(void *of, const char *part, size_t bytes)
{
    struct dal_memory_stream *stream = of;
    size_t wanted = stream->bytes + bytes + 1, room = stream->room < 1024 ? 1024 : stream->room;
    char *text;
    while (room < wanted)
        room *= 2;
    text = stream->failed         ? NULL
           : room == stream->room ? stream->text
                                  : (char *)realloc(stream->text, room);
    if (!text) {
        stream->failed = 1;
        return 0;
    }
    stream->text = text;
    stream->room = room;
    memcpy(text + stream->bytes, part, bytes);
    stream->bytes += bytes;
    text[stream->bytes] = 0;
    return (ssize_t)bytes;
}

/* Opens a stream, which must not move until it is closed. Its file may be NULL. */
static inline void dal_memory_open(struct dal_memory_stream *stream)
{
    const cookie_io_functions_t calls = {.write = dal__memory_take};
    *stream = (struct dal_memory_stream){0};
    stream->file = fopencookie(stream, "w", calls);
}

/* Closes a stream. Returns the text, which the caller frees with free(), or NULL without memory for
 * all of it. Its length is in `bytes`. Accepts a stream without a file. */
static inline char *dal_memory_close(struct dal_memory_stream *stream)
{
    char *text;
    if (!stream->file)
        return NULL;
    stream->failed |= fclose(stream->file) != 0;
    dal__memory_take(stream, "", 0); /* an empty text is a text, too */
    text = stream->failed ? NULL : stream->text;
    if (!text)
        free(stream->text);
    return text;
}
