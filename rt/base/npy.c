#include "rt/base/npy.h"

#include "rt/base/alloc.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const unsigned char dal_npy_magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

/* Returns what stands behind a key of the dictionary; NULL without it. */
static const char *find_value(const char *text, const char *key)
{
    const char *at = strstr(text, key);
    at = at ? strchr(at, ':') : NULL;
    while (at && isspace((unsigned char)*++at))
        ;
    return at;
}

static int parse_descr(const char *text, struct dal_npy *array)
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

static int parse_shape(const char *text, struct dal_npy *array)
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
        if (!isdigit((unsigned char)*at) || array->dimensions == DAL_NPY_DIMENSIONS)
            return 0;
        array->shape[array->dimensions++] = strtoull(at, &end, 10);
        at = end;
    }
}

static int begins_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && !isalnum((unsigned char)text[length]);
}

int dal_npy_parse(const char *text, struct dal_npy *array)
{
    const char *fortran = find_value(text, "'fortran_order'");
    int known;
    *array = (struct dal_npy){0};
    known = fortran && (begins_word(fortran, "True") || begins_word(fortran, "False")) &&
            parse_descr(text, array) && parse_shape(text, array);
    array->is_fortran = known && array->dimensions > 1 && begins_word(fortran, "True");
    return known;
}

const char *dal_npy_open(const void *file, size_t length, struct dal_npy *array, size_t *at)
{
    const unsigned char *front = file;
    size_t bytes;
    char *text;
    int known;
    if (length < 12 || memcmp(front, dal_npy_magic, sizeof(dal_npy_magic)) != 0 || front[6] < 1 ||
        front[6] > 3)
        return "it is no array of NumPy";
    bytes = front[8] | (size_t)front[9] << 8;
    if (front[6] > 1)
        bytes |= (size_t)front[10] << 16 | (size_t)front[11] << 24;
    *at = front[6] > 1 ? 12 : 10;
    if (bytes > DAL_NPY_MOST_HEADER || bytes > length - *at)
        return "its header is too long";
    text = dal_calloc(1, bytes + 1);
    if (!text)
        return "there is no memory for its header";
    memcpy(text, front + *at, bytes);
    *at += bytes;
    known = dal_npy_parse(text, array);
    dal_free(text);
    return known ? NULL : "its header has no plain type and shape";
}

int dal_npy_has_type(const struct dal_npy *array, char kind, uint64_t bytes)
{
    const char own = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
    char *end;
    unsigned long found = array->descr[0] ? strtoul(array->descr + 2, &end, 10) : 0;
    if (array->descr[0] != own && array->descr[0] != '|' && array->descr[0] != '=')
        return 0;
    if (!found || *end)
        return 0;
    if (kind == 'V')
        return array->descr[1] != 'O' && array->descr[1] != 'U';
    return array->descr[1] == kind && found == bytes;
}

int dal_npy_multiply(const struct dal_npy *array, int first, uint64_t *bytes)
{
    *bytes = strtoull(array->descr + 2, NULL, 10);
    for (int i = first; i < array->dimensions; i++)
        if (__builtin_mul_overflow(*bytes, array->shape[i], bytes))
            return 0;
    return 1;
}
