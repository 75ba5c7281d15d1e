/* libsndfile takes what is there for the whole, whatever a header says. */
#include "whole.h"

#include <string.h>
#include <unistd.h>

static const char not_whole[] = "is no sound file, or not all of it";

static uint64_t number(const unsigned char *at, int bytes, int is_little)
{
    uint64_t value = 0;

    for (int i = 0; i < bytes; i++)
        value = value << 8 | at[is_little ? bytes - 1 - i : i];
    return value;
}

/* A writer into a pipe does not know the length, and writes one of these. In 4 bytes it is the
 * largest number, or about 2 GiB: 0x7ffff000 in whole frames, 0x7fffffff or 0x80000000. */
static int is_open_ended(uint64_t size, int width)
{
    if (width != 4)
        return size == 0 || size >= INT64_MAX;
    return size == 0 || size >= 0xffff0000 || (size >= 0x7ffef000 && size <= 0x80000000);
}

/* The same of AIFF: frames of 0x7f000000 bytes in all, and what is around them. */
static int is_open_form(uint64_t size)
{
    return size >= 0x7eff0000 && size <= 0x7f010000;
}

/* RIFF and CAF: looks through the chunks, whose lengths have so many bytes, for "data". */
static int has_data(int fd, uint64_t bytes, uint64_t at, int width, int is_little)
{
    unsigned char head[12];
    const uint64_t head_bytes = 4 + (uint64_t)width;
    uint64_t size;

    while (at + head_bytes <= bytes &&
           pread(fd, head, head_bytes, (off_t)at) == (ssize_t)head_bytes) {
        at += head_bytes;
        size = number(head + 4, width, is_little);
        if (memcmp(head, "data", 4) == 0 && is_open_ended(size, width))
            return 1;
        if (memcmp(head, "data", 4) == 0 || size > bytes - at)
            return size <= bytes - at;
        at += size + (width == 4 ? size % 2 : 0);
    }
    return 0;
}

/* Ogg: goes through the pages, whose first ones begin their streams. The last one must be marked
 * so, and no other stream may begin behind them: libsndfile would not go on to that. */
static const char *find_ogg_fault(int fd, uint64_t bytes)
{
    enum { BEGINS = 2, ENDS = 4, HEAD = 27 };
    unsigned char head[HEAD + 255] = {0};
    int is_begun = 0;

    for (uint64_t at = 0, step; at < bytes; at += step) {
        ssize_t got = pread(fd, head, sizeof(head), (off_t)at);

        if (got < HEAD || memcmp(head, "OggS", 4) != 0 || got < HEAD + head[26])
            return not_whole;
        step = HEAD + (uint64_t)head[26];
        for (int i = 0; i < head[26]; i++)
            step += head[HEAD + i];
        if (step > bytes - at)
            return not_whole;
        if (is_begun && head[5] & BEGINS)
            return "has several sounds, one behind the other";
        is_begun |= !(head[5] & BEGINS);
    }
    return head[5] & ENDS ? NULL : not_whole;
}

/* Kinds whose header has the length of all behind it. */
static const struct {
    char name[5];
    int at, bytes, is_little; /* of the length */
    unsigned before;          /* bytes that it does not count */
} kinds[] = {
    {"FORM", 4, 4, 0, 8}, {"RF64", 20, 8, 1, 8}, {"riff", 16, 8, 1, 0}, /* Wave64 */
};

static int is_whole_kind(int fd, uint64_t bytes, const unsigned char head[28])
{
    uint64_t size;

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        size = number(head + kinds[i].at, kinds[i].bytes, kinds[i].is_little);
        if (memcmp(head, kinds[i].name, 4) == 0)
            return size <= bytes - kinds[i].before || (i == 0 && is_open_form(size));
    }
    if (memcmp(head, "RIFF", 4) == 0 || memcmp(head, "RIFX", 4) == 0)
        return has_data(fd, bytes, 12, 4, head[3] == 'F');
    if (memcmp(head, "caff", 4) == 0)
        return has_data(fd, bytes, 8, 8, 0);
    if (memcmp(head, ".snd", 4) == 0)
        return number(head + 8, 4, 0) == 0xffffffff ||
               number(head + 4, 4, 0) + number(head + 8, 4, 0) <= bytes;
    return 1;
}

const char *dal_part_find_fault(int fd, uint64_t bytes)
{
    unsigned char head[28] = {0};

    if (pread(fd, head, sizeof(head), 0) < 24) /* what .au has without a sample */
        return not_whole;
    if (memcmp(head, "OggS", 4) == 0)
        return find_ogg_fault(fd, bytes);
    return is_whole_kind(fd, bytes, head) ? NULL : not_whole;
}
