/* RIFF WAVE: "Multimedia Programming Interface and Data Specifications 1.0" (IBM, Microsoft 1991),
 * and RFC 2361 for real samples. RF64 is the same with lengths of 64 bits (EBU Tech 3306). */
#include "rt/streams/format.h"

#include "rt/base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { INTEGERS = 1, REAL = 3, EXTENSIBLE = 0xfffe, HEADER = 44, MOST_RATE = 1000000000 };

struct sound {
    unsigned format, channels, rate, bits;
    uint64_t long_bytes; /* of samples, as RF64 says; or 0 */
};

static unsigned get_number(const unsigned char *at, int bytes)
{
    unsigned value = 0;
    while (bytes-- > 0)
        value = value << 8 | at[bytes];
    return value;
}

static unsigned char *put_number(unsigned char *at, uint64_t value, int bytes)
{
    for (; bytes-- > 0; value >>= 8)
        *at++ = (unsigned char)value;
    return at;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int skip(struct dal_stream *stream, uint64_t bytes)
{
    unsigned char rest[512];
    int status = DAL_OK;
    while (bytes > 0 && status == DAL_OK) {
        size_t now = bytes < sizeof(rest) ? (size_t)bytes : sizeof(rest);
        status = dal__stream_take(stream, rest, now);
        bytes -= now;
    }
    return status;
}

static int read_format(struct dal_stream *stream, unsigned bytes, struct sound *sound)
{
    unsigned char chunk[40] = {0};
    int status;
    if (bytes < 16)
        return dal__stream_refuse(stream, "its format is too short");
    status = dal__stream_take(stream, chunk, bytes < sizeof(chunk) ? bytes : sizeof(chunk));
    if (status == DAL_OK && bytes > sizeof(chunk))
        status = skip(stream, bytes - sizeof(chunk));
    *sound = (struct sound){get_number(chunk, 2), get_number(chunk + 2, 2),
                            get_number(chunk + 4, 4), get_number(chunk + 14, 2), sound->long_bytes};
    if (status == DAL_OK && !sound->bits)
        return dal__stream_refuse(stream, "its samples have 0 bits");
    if (sound->format == EXTENSIBLE)
        sound->format = get_number(chunk + 24, 2);
    return status == DAL_OK && bytes % 2 ? skip(stream, 1) : status;
}

/* A sample of one byte has no sign, the others have one. */
static int has_type(const struct dal_stream *stream, const struct sound *sound)
{
    const char kind = sound->format == REAL ? 'f' : sound->bits == 8 ? 'u' : 'i';
    return (sound->format == REAL || sound->format == INTEGERS) && sound->bits % 8 == 0 &&
           (stream->tokens->kind == 'V' ||
            (kind == stream->tokens->kind && sound->bits == 8 * dal__element_bytes(stream)));
}

static int check_sound(const struct dal_stream *stream, const struct sound *sound)
{
    char name[40];
    if (!has_type(stream, sound))
        return dal__stream_refuse(stream,
                                  "its samples are %s of %u bits, the elements of a token %s",
                                  sound->format == REAL       ? "real"
                                  : sound->format == INTEGERS ? "integers"
                                                              : "compressed",
                                  sound->bits, dal__element_name(stream, name));
    if (!sound->channels || stream->tokens->token_bytes % (sound->channels * (sound->bits / 8)))
        return dal__stream_refuse(
            stream, "it has %u channels, and a token of %" PRIu64 " bytes has no whole frames",
            sound->channels, stream->tokens->token_bytes);
    return DAL_OK;
}

/* Has "data" a length? Who writes into a pipe does not know it. That may be 0, then of the file,
 * too, or that of no header; about the largest number; or about 2 GiB, the most of some programs.
 */
static int tells_length(unsigned bytes, unsigned whole)
{
    if (!bytes)
        return whole >= HEADER - 8 && whole != UINT32_MAX;
    return bytes < 0xffff0000 && (bytes < 0x7ffef000 || bytes > 0x80000000);
}

/* Behind no samples there is nothing, or a chunk. Samples are there when who wrote them has not
 * come to their length. */
static int check_behind(struct dal_stream *stream)
{
    unsigned char front[8];
    ssize_t got;
    int status;
    do
        got = read(stream->fd, front, 1);
    while (got < 0 && errno == EINTR);
    if (got == 0)
        return DAL_OK;
    if (got < 0)
        return dal__stream_refuse(stream, "%s", strerror(errno));
    status = dal__stream_take(stream, front + 1, sizeof(front) - 1);
    for (int i = 0; i < 4 && status == DAL_OK; i++)
        if (front[i] < ' ' || front[i] > '~')
            return dal__stream_refuse(
                stream, "it does not say how long it is: 0, and has bytes behind that");
    return status == DAL_OK ? skip(stream, get_number(front + 4, 4)) : status;
}

static int begin_samples(struct dal_stream *stream, unsigned bytes, unsigned whole,
                         const struct sound *sound)
{
    int status;
    if (!sound->bits)
        return dal__stream_refuse(stream, "it has samples before their format");
    if (sound->long_bytes && bytes == UINT32_MAX)
        stream->bytes = sound->long_bytes;
    else if (tells_length(bytes, whole))
        stream->bytes = bytes;
    status = check_sound(stream, sound);
    return status == DAL_OK && stream->bytes == 0 ? check_behind(stream) : status;
}

/* Reads the chunk of RF64 that has the lengths: of the file, and of "data". */
static int read_lengths(struct dal_stream *stream, unsigned bytes, struct sound *sound)
{
    unsigned char chunk[16];
    int status;
    if (bytes < sizeof(chunk))
        return dal__stream_refuse(stream, "its lengths are too short");
    status = dal__stream_take(stream, chunk, sizeof(chunk));
    sound->long_bytes = get_number(chunk + 8, 4) | (uint64_t)get_number(chunk + 12, 4) << 32;
    return status == DAL_OK ? skip(stream, bytes - sizeof(chunk) + bytes % 2) : status;
}

static int begin_reading(struct dal_stream *stream)
{
    struct sound sound = {0};
    unsigned char front[12] = {0};
    int status = dal__stream_take(stream, front, 12);
    unsigned whole = get_number(front + 4, 4);
    int is_long = memcmp(front, "RF64", 4) == 0;
    if (status == DAL_OK &&
        ((!is_long && memcmp(front, "RIFF", 4) != 0) || memcmp(front + 8, "WAVE", 4) != 0))
        return dal__stream_refuse(stream, "it is no RIFF WAVE");
    while (status == DAL_OK) {
        unsigned bytes;
        status = dal__stream_take(stream, front, 8);
        bytes = get_number(front + 4, 4);
        if (status == DAL_OK && memcmp(front, "data", 4) == 0)
            return begin_samples(stream, bytes, whole, &sound);
        if (status == DAL_OK)
            status = memcmp(front, "fmt ", 4) == 0 ? read_format(stream, bytes, &sound)
                     : is_long && memcmp(front, "ds64", 4) == 0
                         ? read_lengths(stream, bytes, &sound)
                         : skip(stream, (uint64_t)bytes + bytes % 2);
    }
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Reads a term, ",rate=44100". Returns 0 if it is no such. */
static int read_term(const char **at, const char *name, unsigned *value)
{
    size_t length = strlen(name);
    char *end;
    unsigned long number;
    if (strncmp(*at, name, length) != 0)
        return 0;
    number = strtoul(*at + length, &end, 10);
    if (end == *at + length || (*end && *end != ',') || number == 0 || number > MOST_RATE)
        return 0;
    *value = (unsigned)number;
    *at = end;
    return 1;
}

static int choose_sound(const struct dal_stream *stream, struct sound *sound)
{
    const struct dal_open_desc *tokens = stream->tokens;
    uint64_t frame;
    char name[40];
    *sound = (struct sound){.format = tokens->kind == 'f' ? REAL : INTEGERS,
                            .channels = 1,
                            .rate = 48000,
                            .bits = (unsigned)(8 * dal__element_bytes(stream))};
    if (!has_type(stream, sound) || tokens->kind == 'V' || sound->bits > 64)
        return dal__stream_refuse(stream, "the elements of a token, %s, are no samples",
                                  dal__element_name(stream, name));
    for (const char *at = stream->terms; *at;)
        if (!read_term(&at, ",rate=", &sound->rate) &&
            !read_term(&at, ",channels=", &sound->channels))
            return dal__stream_refuse(stream,
                                      "'%s': ,rate=NUMBER and ,channels=NUMBER may stand "
                                      "behind it",
                                      at);
    frame = (uint64_t)sound->channels * (sound->bits / 8);
    if (frame > UINT16_MAX || sound->rate * frame > UINT32_MAX)
        return dal__stream_refuse(
            stream, "its header has no room for %u frames a second, of %u channels of %u bits",
            sound->rate, sound->channels, sound->bits);
    if (tokens->count % sound->channels)
        return dal__stream_refuse(stream, "a token of %" PRIu64 " samples is no frames of %u",
                                  tokens->count, sound->channels);
    return DAL_OK;
}

static int write_header(struct dal_stream *stream)
{
    unsigned char header[HEADER], *at = header;
    struct sound sound;
    unsigned frame;
    int status = choose_sound(stream, &sound);
    if (status < 0)
        return status;
    if (stream->moved > UINT32_MAX - HEADER)
        return dal__stream_refuse(stream, "it would have more than 4 GB");
    frame = sound.channels * (sound.bits / 8);
    memcpy(at, "RIFF....WAVEfmt ", 16);
    put_number(header + 4, stream->moved + stream->moved % 2 + HEADER - 8, 4);
    at = put_number(at + 16, 16, 4);
    at = put_number(put_number(at, sound.format, 2), sound.channels, 2);
    at = put_number(put_number(at, sound.rate, 4), (uint64_t)sound.rate * frame, 4);
    at = put_number(put_number(at, frame, 2), sound.bits, 2);
    memcpy(at, "data", 4);
    put_number(at + 4, stream->moved, 4);
    if (dal_write_all(stream->fd, "", stream->moved % 2) == DAL_OK && /* chunks are even */
        lseek(stream->fd, 0, SEEK_SET) == 0 && dal_write_all(stream->fd, header, HEADER) == DAL_OK)
        return DAL_OK;
    return dal__stream_refuse(stream, "its header cannot be written");
}

const struct dal__format dal__wav = {
    .ending = ".wav", .has_terms = 1, .begin_reading = begin_reading, .write_header = write_header};
