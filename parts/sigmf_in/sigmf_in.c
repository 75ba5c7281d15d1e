/* Read: the samples of a recording. */
#include "dal.h"
#include "../common/input_file.h"
#include "meta.h"

#include <limits.h>
#include <stdlib.h>

#define META_ENDING ".sigmf-meta"
#define DATA_ENDING ".sigmf-data"
enum { META_BYTES = 16 << 20, BUFFER_BYTES = 1 << 15 };

static float of_float(const unsigned char *at)
{
    uint32_t bits = at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static float of_int16(const unsigned char *at)
{
    return (float)(int16_t)(at[0] | at[1] << 8) / 32768;
}

static float of_uint8(const unsigned char *at)
{
    return (float)(at[0] - 128) / 128;
}

static const struct type {
    const char *name;
    unsigned bytes; /* of one of a sample's two numbers */
    float (*number)(const unsigned char *at);
} types[] = {{"cf32_le", 4, of_float}, {"ci16_le", 2, of_int16}, {"cu8", 1, of_uint8}};

struct _local_states {
    char data[PATH_MAX]; /* the name of the file with the samples */
    int fd;              /* -1: not open */
    const struct type *type;
    uint64_t left;     /* bytes that are not read yet */
    uint32_t at, held; /* bytes in the buffer */
    unsigned char buffer[BUFFER_BYTES];
};

/* Reads as many bytes, unless there is an error or the end. */
static size_t read_all(int fd, void *to, size_t bytes)
{
    size_t done = 0;
    ssize_t got = 1;

    for (; done < bytes && got > 0; done += got > 0 ? (size_t)got : 0)
        got = read(fd, (char *)to + done, bytes - done);
    return done;
}

/* Returns 0, or -1 after DAL_fail(). */
static int read_meta(const char *name, struct meta *meta, DALProcess *p)
{
    uint64_t bytes = 0;
    int fd = open_input(name, &bytes, p), status = -1;
    char *text = fd < 0 || bytes > META_BYTES ? NULL : malloc(bytes + 1);

    if (fd < 0)
        return -1;
    if (bytes > META_BYTES)
        DAL_fail(p, "%s is too long: it has more than %d bytes", name, META_BYTES);
    else if (!text || read_all(fd, text, bytes) != bytes)
        DAL_fail(p, "%s cannot be read", name);
    else if (dal_part_read_meta(meta, text, bytes) != 0)
        DAL_fail(p, "%s: %s", name, meta->why);
    else
        status = 0;
    free(text);
    close(fd);
    return status;
}

/* Puts the name of the file with the samples together. Returns 0, or -1 after DAL_fail(). */
static int name_data(const char *meta, DALProcess *p)
{
    size_t length = meta ? strlen(meta) : 0, ending = strlen(META_ENDING);

    if (length <= ending || length >= PATH_MAX ||
        strcmp(meta + length - ending, META_ENDING) != 0) {
        DAL_fail(p, "%s: the name of a meta file ends in " META_ENDING, meta ? meta : "");
        return -1;
    }
    memcpy(p->local->data, meta, length - ending);
    memcpy(p->local->data + length - ending, DATA_ENDING, sizeof(DATA_ENDING));
    return 0;
}

/* Finds the type, and compares what the meta file says with what was asked for. */
static int check_meta(const char *name, const struct meta *meta, DALProcess *p)
{
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (strcmp(meta->type, types[i].name) == 0)
            p->local->type = &types[i];
    if (!p->local->type)
        DAL_fail(p, "%s: its samples are %s, and cf32_le, ci16_le and cu8 are read", name,
                 meta->type);
    else if (VAR_rate > 0 && meta->rate != VAR_rate)
        DAL_fail(p, "%s: it has %.17g samples a second, and not %.17g", name, meta->rate, VAR_rate);
    else
        return 0;
    return -1;
}

static int open_data(const char *name, const struct meta *meta, DALProcess *p)
{
    LocalState s = p->local;
    uint64_t sample = 2 * s->type->bytes;

    s->fd = open_input(s->data, &s->left, p);
    if (s->fd < 0)
        return -1;
    if (s->left % sample)
        DAL_fail(p, "%s ends within a sample", s->data);
    else if (s->left / sample < meta->reach)
        DAL_fail(p, "%s has %llu samples, and %s speaks of %llu", s->data,
                 (unsigned long long)(s->left / sample), name, (unsigned long long)meta->reach);
    else
        return 0;
    return -1;
}

void Read_init(DALProcess *p)
{
    LocalState s = p->local;
    const char *name = DAL_getParameter("file", p);
    struct meta meta;

    s->fd = -1;
    if (name_data(name, p) != 0 || read_meta(name, &meta, p) != 0 ||
        check_meta(name, &meta, p) != 0 || open_data(name, &meta, p) != 0) {
        s->left = 0;
        return;
    }
    DAL_setLength(s->left / (2 * s->type->bytes) / VAR_block, p);
}

/* Returns 0 at the end, or after DAL_fail(). */
static int fill_buffer(DALProcess *p)
{
    LocalState s = p->local;
    size_t wanted = s->left < BUFFER_BYTES ? (size_t)s->left : BUFFER_BYTES;

    if (wanted == 0)
        return 0;
    if (read_all(s->fd, s->buffer, wanted) != wanted) {
        DAL_fail(p, "%s has become shorter, or cannot be read", s->data);
        return 0;
    }
    s->left -= wanted;
    s->at = 0;
    s->held = (uint32_t)wanted;
    return 1;
}

int Read_fire(DALProcess *p)
{
    LocalState s = p->local;
    float *out = DAL_WRITE_TOKENS(float, out, TOKEN_out_RATE, TOKEN_out_RATE, 0, p);

    for (int i = 0; i < TOKEN_out_RATE; i++, s->at += s->type->bytes) {
        if (s->at == s->held && !fill_buffer(p))
            return 1;
        out[i] = s->type->number(s->buffer + s->at);
    }
    DAL_write_end(PORT_out, out, p);
    return 0;
}

void Read_finish(DALProcess *p)
{
    if (p->local->fd >= 0)
        close(p->local->fd);
}
