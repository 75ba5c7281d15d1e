#include "rt/base/value.h"

#include "rt/base/error.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Does a number begin here? strto...() would skip white space, and accept words such as "nan". */
static int begins_number(const char *text)
{
    text += *text == '-' || *text == '+';
    return isdigit((unsigned char)*text) || (*text == '.' && isdigit((unsigned char)text[1]));
}

static int parse_real(const char *text, size_t bytes, void *value)
{
    char *rest;
    float number = strtof(text, &rest);
    double wide = strtod(text, NULL);
    if (*rest)
        return DAL_ERR_INVALID;
    if (!(bytes == sizeof(float) ? isfinite(number) : isfinite(wide)))
        return DAL_ERR_LIMIT;
    memcpy(value, bytes == sizeof(float) ? (void *)&number : (void *)&wide, bytes);
    return DAL_OK;
}

static int parse_signed(const char *text, size_t bytes, void *value)
{
    int64_t most = INT64_MAX >> (64 - 8 * bytes), number;
    int32_t narrow;
    char *rest;
    errno = 0;
    number = strtoll(text, &rest, 0);
    if (*rest)
        return DAL_ERR_INVALID;
    if (errno || number > most || number < -most - 1)
        return DAL_ERR_LIMIT;
    narrow = (int32_t)number;
    memcpy(value, bytes == sizeof(narrow) ? (void *)&narrow : (void *)&number, bytes);
    return DAL_OK;
}

/* Reads an unsigned integer. strtoull() would take a minus for a number near the other end. */
static int parse_unsigned(const char *text, size_t bytes, void *value)
{
    uint64_t number;
    uint32_t narrow;
    char *rest;
    errno = 0;
    number = strtoull(text, &rest, 0);
    if (*rest)
        return DAL_ERR_INVALID;
    if (errno || number > UINT64_MAX >> (64 - 8 * bytes) || (*text == '-' && number))
        return DAL_ERR_LIMIT;
    narrow = (uint32_t)number;
    memcpy(value, bytes == sizeof(narrow) ? (void *)&narrow : (void *)&number, bytes);
    return DAL_OK;
}

int dal_value_parse(const char *text, int is_real, int is_signed, size_t bytes, void *value)
{
    if (!begins_number(text))
        return DAL_ERR_INVALID;
    if (is_real)
        return parse_real(text, bytes, value);
    return (is_signed ? parse_signed : parse_unsigned)(text, bytes, value);
}
