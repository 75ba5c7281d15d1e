/* Arrays of NumPy: "NumPy Enhancement Proposal 1", and numpy/lib/format.py (versions 1 to 3). */
#include "rt/streams/format.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

enum { HEADER = 128, MOST_HEADER = 1 << 16, MOST_DIMENSIONS = 32 };

/* What a header says. */
struct array {
    char descr[40]; /* "<f4" */
    int is_fortran;
    uint64_t shape[MOST_DIMENSIONS];
    int dimensions;
};

/* ---- reading --------------------------------------------------------------------------------- */

/* Returns what stands behind a key of the dictionary; NULL without it. */
static const char *find_value(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    at = at ? strchr(at, ':') : NULL;
    while (at && isspace((unsigned char)*++at))
        ;
    return at;
}

static int parse_descr(const char *text, struct array *array)
{
    const char *at = find_value(text, "'descr'"), *end;
    if (!at || *at != '\'')
        return 0;
    end = strchr(at + 1, '\'');
    if (!end || end - at - 1 >= (ptrdiff_t)sizeof(array->descr))
        return 0;
    snprintf(array->descr, sizeof(array->descr), "%.*s", (int)(end - at - 1), at + 1);
    return 1;
}

static int parse_shape(const char *text, struct array *array)
{
    const char *at = find_value(text, "'shape'");
    if (!at || *at++ != '(')
        return 0;
    for (;;) {
        char *end;
        while (isspace((unsigned char)*at) || *at == ',')
            at++;
        if (*at == ')')
            return 1;
        if (!isdigit((unsigned char)*at) || array->dimensions == MOST_DIMENSIONS)
            return 0;
        array->shape[array->dimensions++] = strtoull(at, &end, 10);
        at = end;
    }
}

static int parse_header(const char *text, struct array *array)
{
    const char *fortran = find_value(text, "'fortran_order'");
    *array = (struct array){0};
    array->is_fortran = fortran && strncmp(fortran, "True", 4) == 0;
    return fortran && parse_descr(text, array) && parse_shape(text, array);
}

/* Are the elements those of a token? A token without a type takes any. */
static int has_type(const struct dal_stream *stream, const struct array *array)
{
    const char own = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
    char *end;
    unsigned long bytes = array->descr[0] ? strtoul(array->descr + 2, &end, 10) : 0;
    if (array->descr[0] != own && array->descr[0] != '|' && array->descr[0] != '=')
        return 0;
    if (!bytes || *end)
        return 0;
    if (stream->tokens->kind == 'V')
        return array->descr[1] != 'O' && array->descr[1] != 'U';
    return array->descr[1] == stream->tokens->kind && bytes == dal__element_bytes(stream);
}

/* Multiplies the bytes of an element by the sizes of dimensions from `first` on. Returns 0 where
 * that is too large. */
static int multiply(const struct array *array, int first, uint64_t *bytes)
{
    *bytes = strtoull(array->descr + 2, NULL, 10);
    for (int i = first; i < array->dimensions; i++)
        if (__builtin_mul_overflow(*bytes, array->shape[i], bytes))
            return 0;
    return 1;
}

static int check_array(struct dal_stream *stream, const struct array *array)
{
    char name[40];
    uint64_t row;
    if (!has_type(stream, array))
        return dal__stream_refuse(stream, "its elements are '%s', those of a token %s",
                                  array->descr, dal__element_name(stream, name));
    if (array->dimensions == 0 || (array->is_fortran && array->dimensions > 1))
        return dal__stream_refuse(stream, "it is %s",
                                  array->dimensions ? "in the order of Fortran, columns first"
                                                    : "one element, and no array");
    if (!multiply(array, 1, &row) || !multiply(array, 0, &stream->bytes))
        return dal__stream_refuse(stream, "its shape is too large");
    if (array->dimensions > 1 && row != stream->tokens->token_bytes)
        return dal__stream_refuse(stream, "a row has %" PRIu64 " bytes, and a token %" PRIu64, row,
                                  stream->tokens->token_bytes);
    return DAL_OK;
}

static int begin_reading(struct dal_stream *stream)
{
    unsigned char front[12];
    struct array array;
    size_t length;
    char *text;
    int status = dal__stream_take(stream, front, 10), known;
    if (status < 0)
        return status;
    if (memcmp(front, magic, sizeof(magic)) != 0 || front[6] < 1 || front[6] > 3)
        return dal__stream_refuse(stream, "it is no array of NumPy");
    length = front[8] | (size_t)front[9] << 8;
    if (front[6] > 1) {
        status = dal__stream_take(stream, front + 10, 2);
        length |= (size_t)front[10] << 16 | (size_t)front[11] << 24;
    }
    if (status < 0)
        return status;
    if (length > MOST_HEADER)
        return dal__stream_refuse(stream, "its header is too long");
    text = dal_calloc(1, length + 1);
    status = text ? dal__stream_take(stream, text, length) : dal_no_memory();
    known = status == DAL_OK && parse_header(text, &array);
    dal_free(text);
    if (status < 0)
        return status;
    return known ? check_array(stream, &array)
                 : dal__stream_refuse(stream, "its header has no plain type and shape");
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Tokens of several elements are rows. A token without a type is one element of so many bytes. */
static int write_header(struct dal_stream *stream)
{
    const struct dal_open_desc *tokens = stream->tokens;
    const char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
    int is_typed = tokens->kind != 'V', is_small;
    uint64_t bytes = is_typed ? dal__element_bytes(stream) : tokens->token_bytes;
    char header[HEADER + 1], columns[24] = "";
    int length;
    if (is_typed && tokens->count > 1)
        snprintf(columns, sizeof(columns), " %" PRIu64, tokens->count);
    is_small = bytes == 1 || !is_typed;
    length = snprintf(header, sizeof(header),
                      "......%c%c%c%c{'descr': '%c%c%" PRIu64
                      "', 'fortran_order': False, 'shape': (%" PRIu64 ",%s), }",
                      1, 0, HEADER - 10, 0, is_small ? '|' : order, tokens->kind, bytes,
                      stream->moved / tokens->token_bytes, columns);
    memset(header + length, ' ', (size_t)(HEADER - length));
    memcpy(header, magic, sizeof(magic));
    header[HEADER - 1] = '\n';
    if (lseek(stream->fd, 0, SEEK_SET) == 0 && dal_write_all(stream->fd, header, HEADER) == DAL_OK)
        return DAL_OK;
    return dal__stream_refuse(stream, "its header cannot be written");
}

const struct dal__format dal__npy = {
    .ending = ".npy", .begin_reading = begin_reading, .write_header = write_header};
