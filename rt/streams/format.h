/* What stream.c and the formats of its files share. */
#pragma once

#include "rt/base/output.h"
#include "rt/streams/stream.h"

struct dal__format;

struct dal_stream {
    const char *port;
    const struct dal_open_desc *tokens;
    const struct dal__format *format;
    char *file;        /* without what stands behind its ending */
    const char *terms; /* what stands there: ",rate=44100"; or "" */
    int writes;
    int fd;
    int is_standard;          /* the descriptor is the program's */
    int waits;                /* a read or write may take long */
    struct dal_output output; /* of a file that is written */
    char *what;               /* in front of its messages: "port louder: " */
    uint64_t moved;           /* bytes of tokens so far */
    uint64_t bytes;           /* that a file to read has; UINT64_MAX where it does not say */
    struct dal_tap_file tap;  /* of a tap */
    int is_full, has_failed;  /* RECORD: it drops what comes */
    unsigned char *scratch;   /* room for tokens, or NULL */
};

/* A format. Its functions return DAL_OK, or a negative code, logged. */
struct dal__format {
    const char *ending; /* of names; "" fits all */
    int has_terms;      /* may stand behind the name of a file that is written */
    /* Reads the header, and sets `bytes`. */
    int (*begin_reading)(struct dal_stream *stream);
    /* Writes the header: first with no tokens, and once more at the end, with as many bytes. */
    int (*write_header)(struct dal_stream *stream);
};

extern const struct dal__format dal__npy, dal__wav;

/* Logs an error, with the port and the file in front. Returns DAL_ERR_IO. */
int dal__stream_refuse(const struct dal_stream *stream, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads exactly so many bytes. Returns DAL_OK, or refuses. */
int dal__stream_take(struct dal_stream *stream, void *to, size_t bytes);

/* Opens a stream that has its file's name, what is outside of it and the tap. As dal_stream_open().
 */
int dal__stream_begin(struct dal_stream **result, const char *file, struct dal_stream like);

/* Writes all of it, and takes the signals that this may send. Returns DAL_OK, or DAL_ERR_IO with
 * errno set. */
int dal__stream_write_all(const struct dal_stream *stream, const void *from, size_t bytes);

/* Take what is written to a RECORD, or a COMPARE (tap.c). As dal_stream_write(), with all bytes. */
int dal__tap_record(struct dal_stream *stream, const unsigned char *from, size_t bytes);
int dal__tap_compare(struct dal_stream *stream, const unsigned char *from, size_t bytes);
/* Does a recording have more than was compared? Then it refuses that. Returns DAL_OK or DAL_ERR_IO.
 */
int dal__tap_finish(const struct dal_stream *stream);

/* Returns the bytes of an element of a token. */
static inline uint64_t dal__element_bytes(const struct dal_stream *stream)
{
    return stream->tokens->token_bytes / stream->tokens->count;
}

/* Writes how the elements of a token are called: "int16_t", or "4 bytes" without a type. */
const char *dal__element_name(const struct dal_stream *stream, char text[40]);
