#include "rt/base/value.h"

#include "rt/base/error.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
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

int dal_value_integer(const char *text, long *value)
{
    return dal_value_parse(text, 0, 1, sizeof(*value), value) == DAL_OK;
}

int dal_value_real(const char *text, int is_float, double *value)
{
    float narrow;
    if (!is_float)
        return dal_value_parse(text, 1, 1, sizeof(*value), value) == DAL_OK;
    if (dal_value_parse(text, 1, 1, sizeof(narrow), &narrow) != DAL_OK)
        return 0;
    *value = (double)narrow;
    return 1;
}

double dal_value_bytes(const char *text)
{
    static const char units[] = "KMG";
    const char *unit = NULL;
    char *rest;
    double bytes = strtod(text, &rest);
    if (rest != text && *rest)
        unit = strchr(units, *rest);
    if (rest == text || !(bytes >= 0) || (*rest && (!unit || rest[1])))
        return -1;
    for (; unit && unit >= units; unit--)
        bytes *= 1024;
    return bytes;
}

/* Returns a value that fits its type, as a number that holds each of them exactly. */
static long double number_of(const char *text, const struct dal_value_range *range)
{
    union {
        float narrow;
        double wide;
        int64_t number;
        uint64_t unsigned_number;
    } value = {0};
    size_t bytes = range->is_real ? range->bytes : sizeof(int64_t);
    (void)dal_value_parse(text, range->is_real, range->is_signed, bytes, &value);
    if (!range->is_real)
        return range->is_signed ? (long double)value.number : (long double)value.unsigned_number;
    return bytes == sizeof(float) ? (long double)value.narrow : (long double)value.wide;
}

const char *dal_value_tell(const char *min, const char *max, char text[DAL_VALUE_WHY])
{
    const char *word = min && max ? "from" : min ? "at least" : "at most";
    snprintf(text, DAL_VALUE_WHY, "%s %.100s%s%.100s", word, min ? min : max,
             min && max ? " to " : "", min && max ? max : "");
    return text;
}

int dal_value_check(const char *text, const struct dal_value_range *range, char why[DAL_VALUE_WHY])
{
    const char *min = range->min, *max = range->max;
    char value[8], limits[DAL_VALUE_WHY];
    int status = dal_value_parse(text, range->is_real, range->is_signed, range->bytes, value);
    if (status != DAL_OK) {
        snprintf(why, DAL_VALUE_WHY, "\"%.100s\" is %s %s", text,
                 status == DAL_ERR_LIMIT ? "out of the range of" : "no", range->type);
        return DAL_ERR_INVALID;
    }
    if ((!min || number_of(text, range) >= number_of(min, range)) &&
        (!max || number_of(text, range) <= number_of(max, range)))
        return DAL_OK;
    snprintf(why, DAL_VALUE_WHY, "\"%.60s\" is out of range: it must be %.300s", text,
             dal_value_tell(min, max, limits));
    return DAL_ERR_INVALID;
}
