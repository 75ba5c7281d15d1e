/*
 * stream.h: finds the JPEG images of a motion-JPEG file in memory.
 *
 * A motion-JPEG file is JPEG images one after the other, with or without a container (AVI) around
 * them; what stands between images is skipped. Markers are followed by their lengths (ISO/IEC
 * 10918-1, annex B), so a thumbnail inside a segment is no image. A damaged image reaches to the
 * start of the next one or the end of the file, and is handed out like any other.
 */
#ifndef MJPEG_STREAM_H
#define MJPEG_STREAM_H

#include <stddef.h>
#include <string.h>

struct stream {
    const unsigned char *data;
    size_t size; /* bytes */
    size_t at;   /* where the search for the next image starts */
};

enum stream_marker {
    STREAM_TEM = 0x01,
    STREAM_RST0 = 0xd0,
    STREAM_RST7 = 0xd7,
    STREAM_SOI = 0xd8,
    STREAM_EOI = 0xd9,
    STREAM_SOS = 0xda,
};

/* Offset of the next start of an image (ff d8 ff) at or after `at`, or the file's size. */
static inline size_t stream_find_start(const struct stream *s, size_t at)
{
    while (at + 2 < s->size) {
        const unsigned char *hit = memchr(s->data + at, 0xff, s->size - 2 - at);
        if (!hit)
            break;
        if (hit[1] == STREAM_SOI && hit[2] == 0xff)
            return (size_t)(hit - s->data);
        at = (size_t)(hit - s->data) + 1;
    }
    return s->size;
}

/* Offset of the first marker at or after `at` that ends entropy-coded data. */
static inline size_t stream_skip_entropy(const struct stream *s, size_t at)
{
    while (at + 1 < s->size) {
        const unsigned char *hit = memchr(s->data + at, 0xff, s->size - 1 - at);
        if (!hit)
            break;
        at = (size_t)(hit - s->data);
        if (hit[1] != 0 && hit[1] != 0xff && (hit[1] < STREAM_RST0 || hit[1] > STREAM_RST7))
            return at;
        at += hit[1] == 0xff ? 1 : 2;
    }
    return s->size;
}

/* Offset behind the image that starts at `at`. */
static inline size_t stream_find_end(const struct stream *s, size_t at)
{
    size_t marker = at + 2;

    while (marker + 1 < s->size && s->data[marker] == 0xff) {
        int code = s->data[marker + 1];
        size_t next;

        if (code == 0xff) {
            marker++;
            continue;
        }
        if (code == STREAM_EOI)
            return marker + 2;
        if (code == STREAM_SOI)
            return marker;
        if (code == STREAM_TEM || (code >= STREAM_RST0 && code <= STREAM_RST7)) {
            marker += 2;
            continue;
        }
        if (marker + 3 >= s->size)
            return s->size;
        next = marker + 2 + ((size_t)s->data[marker + 2] << 8 | s->data[marker + 3]);
        if (next >= s->size || (code != STREAM_SOS && s->data[next] != 0xff))
            break; /* cut inside a segment: the next image may start in what it skips */
        marker = code == STREAM_SOS ? stream_skip_entropy(s, next) : next;
    }
    return stream_find_start(s, marker);
}

/* The next image: 1 with *image and *bytes set, or 0 at the end. The image stays in the file. */
static inline int stream_next(struct stream *s, const unsigned char **image, size_t *bytes)
{
    size_t start = stream_find_start(s, s->at);

    if (start == s->size) {
        s->at = s->size;
        return 0;
    }
    s->at = stream_find_end(s, start);
    *image = s->data + start;
    *bytes = s->at - start;
    return 1;
}

#endif
