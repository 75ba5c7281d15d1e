#include "rt/base/token.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

size_t dal_token_element(const struct dal_token_type *type)
{
    if (type->kind == 'V')
        return 1;
    return (size_t)((type->token_bytes - type->header_bytes) / (type->most ? type->most : 1) /
                    type->count);
}

size_t dal_token_used(const struct dal_token_type *type, const unsigned char *token)
{
    uint32_t count;
    size_t room = (size_t)(type->token_bytes - type->header_bytes);
    if (!type->most)
        return (size_t)type->token_bytes;
    memcpy(&count, token, sizeof(count));
    if (count > type->most)
        count = (uint32_t)type->most;
    return (size_t)type->header_bytes + (size_t)(count * (room / type->most));
}

size_t dal_token_difference(const struct dal_token_type *type, const unsigned char *a,
                            const unsigned char *b)
{
    size_t used_a = dal_token_used(type, a), used_b = dal_token_used(type, b), i = 0;
    size_t used = used_a < used_b ? used_a : used_b;
    if (used_a == used_b && memcmp(a, b, used) == 0)
        return DAL_TOKENS_SAME;
    i = type->most ? (size_t)type->header_bytes : 0; /* of a header, only the count counts */
    while (i < used && a[i] == b[i])
        i++;
    if (i == used && used_a == used_b)
        return DAL_TOKENS_SAME;
    return (i - (size_t)type->header_bytes) / dal_token_element(type);
}

uint64_t dal_token_firing(uint64_t token, const uint64_t *rates, size_t count)
{
    uint64_t all = 0, firing;
    for (size_t i = 0; i < count; i++)
        all += rates[i];
    if (all == 0)
        return 0;
    firing = token / all * count;
    token %= all;
    for (; token >= *rates; firing++)
        token -= *rates++;
    return firing;
}

/* Returns a real number's place among all of its size, from the least to the largest. */
static int64_t place_of(const unsigned char *at, size_t bytes)
{
    int64_t wide;
    int32_t narrow;
    memcpy(&narrow, at, sizeof(narrow));
    if (bytes == sizeof(narrow))
        return narrow < 0 ? -(int64_t)(narrow & INT32_MAX) : narrow;
    memcpy(&wide, at, sizeof(wide));
    return wide < 0 ? -(wide & INT64_MAX) : wide;
}

static double real_of(const unsigned char *at, size_t bytes)
{
    float narrow;
    double wide;
    memcpy(&narrow, at, sizeof(narrow));
    if (bytes == sizeof(narrow))
        return narrow;
    memcpy(&wide, at, sizeof(wide));
    return wide;
}

static uint64_t bits_of(const unsigned char *at, size_t bytes)
{
    uint8_t one = *at;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (bytes) {
    case 1:
        return one;
    case 2:
        memcpy(&two, at, sizeof(two));
        return two;
    case 4:
        memcpy(&four, at, sizeof(four));
        return four;
    default:
        memcpy(&eight, at, sizeof(eight));
        return eight;
    }
}

static void print_integers(char kind, const unsigned char *a, const unsigned char *b, size_t bytes,
                           char *text, size_t room)
{
    unsigned shift = (unsigned)(64 - 8 * bytes);
    uint64_t one = bits_of(a, bytes) << shift, other = bits_of(b, bytes) << shift;
    if (kind == 'u')
        snprintf(text, room, "%" PRIu64 " and %" PRIu64, one >> shift, other >> shift);
    else
        snprintf(text, room, "%" PRId64 " and %" PRId64, (int64_t)one >> shift,
                 (int64_t)other >> shift);
}

static void print_reals(const unsigned char *a, const unsigned char *b, size_t bytes, char *text,
                        size_t room)
{
    uint64_t one = (uint64_t)place_of(a, bytes), other = (uint64_t)place_of(b, bytes);
    uint64_t apart = (int64_t)one > (int64_t)other ? one - other : other - one;
    double x = real_of(a, bytes), y = real_of(b, bytes);
    int digits = bytes == sizeof(float) ? 9 : 17;
    int length = snprintf(text, room, "%.*g and %.*g", digits, x, digits, y);
    if (x == x && y == y && length > 0 && (size_t)length < room)
        snprintf(text + length, room - (size_t)length, " (%" PRIu64 " ULP%s)", apart,
                 apart == 1 ? "" : "s");
}

void dal_token_print(const struct dal_token_type *type, const unsigned char *a,
                     const unsigned char *b, size_t element, char *text, size_t room)
{
    size_t bytes = dal_token_element(type), at = (size_t)type->header_bytes + element * bytes;
    size_t used_a = dal_token_used(type, a), used_b = dal_token_used(type, b);
    if (at + bytes > used_a || at + bytes > used_b)
        snprintf(text, room, "%" PRIu64 " and %" PRIu64 " tokens in the packet", bits_of(a, 4),
                 bits_of(b, 4));
    else if (type->kind == 'f' && (bytes == sizeof(float) || bytes == sizeof(double)))
        print_reals(a + at, b + at, bytes, text, room);
    else if (strchr("iu", type->kind) && bytes <= 8)
        print_integers(type->kind, a + at, b + at, bytes, text, room);
    else
        snprintf(text, room, "0x%02x and 0x%02x", a[at], b[at]);
}
