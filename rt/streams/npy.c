/* Arrays of NumPy (rt/base/npy.h). */
#include "rt/streams/format.h"

#include "rt/base/alloc.h"
#include "rt/base/error.h"
#include "rt/base/npy.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { HEADER = 128 };

/* ---- reading --------------------------------------------------------------------------------- */

static int check_array(struct dal_stream *stream, const struct dal_npy *array)
{
    char name[40];
    uint64_t row;
    if (!dal_npy_has_type(array, stream->tokens->kind,
                          stream->tokens->kind == 'V' ? 0 : dal__element_bytes(stream)))
        return dal__stream_refuse(stream, "its elements are '%s', those of a token %s",
                                  array->descr, dal__element_name(stream, name));
    if (array->dimensions == 0 || array->is_fortran)
        return dal__stream_refuse(stream, "it is %s",
                                  array->dimensions ? "in the order of Fortran, columns first"
                                                    : "one element, and no array");
    if (!dal_npy_multiply(array, 1, &row) || !dal_npy_multiply(array, 0, &stream->bytes))
        return dal__stream_refuse(stream, "its shape is too large");
    if (array->dimensions > 1 && row != stream->tokens->token_bytes)
        return dal__stream_refuse(stream, "a row has %" PRIu64 " bytes, and a token %" PRIu64, row,
                                  stream->tokens->token_bytes);
    return DAL_OK;
}

static int begin_reading(struct dal_stream *stream)
{
    unsigned char front[12];
    struct dal_npy array;
    size_t length;
    char *text;
    int status = dal__stream_take(stream, front, 10), known;
    if (status < 0)
        return status;
    if (memcmp(front, dal_npy_magic, sizeof(dal_npy_magic)) != 0 || front[6] < 1 || front[6] > 3)
        return dal__stream_refuse(stream, "it is no array of NumPy");
    length = front[8] | (size_t)front[9] << 8;
    if (front[6] > 1) {
        status = dal__stream_take(stream, front + 10, 2);
        length |= (size_t)front[10] << 16 | (size_t)front[11] << 24;
    }
    if (status < 0)
        return status;
    if (length > DAL_NPY_MOST_HEADER)
        return dal__stream_refuse(stream, "its header is too long");
    text = dal_calloc(1, length + 1);
    status = text ? dal__stream_take(stream, text, length) : dal_no_memory();
    known = status == DAL_OK && dal_npy_parse(text, &array);
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
    memcpy(header, dal_npy_magic, sizeof(dal_npy_magic));
    header[HEADER - 1] = '\n';
    if (lseek(stream->fd, 0, SEEK_SET) == 0 && dal_write_all(stream->fd, header, HEADER) == DAL_OK)
        return DAL_OK;
    return dal__stream_refuse(stream, "its header cannot be written");
}

const struct dal__format dal__npy = {
    .ending = ".npy", .begin_reading = begin_reading, .write_header = write_header};
