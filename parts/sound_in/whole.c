/* libsndfile takes what is there for the whole, whatever a header says. */
#include "whole.h"

#include <string.h>
#include <unistd.h>

static const char not_whole[] = "is no sound file, or not all of it";
static const char tells_nothing[] = "does not say how long it is: 0, and has bytes behind that";

static uint64_t number(const unsigned char *at, int bytes, int is_little)
{
    uint64_t value = 0;

    for (int i = 0; i < bytes; i++)
        value = value << 8 | at[is_little ? bytes - 1 - i : i];
    return value;
}

/* A writer into a pipe does not know the length, and writes one of these. In 4 bytes it is the
 * largest number, or about 2 GiB: 0x7ffff000 in whole frames, 0x7fffffff or 0x80000000. It may be
 * 0, where that of the whole is none either: too small for the header, or the largest number. */
static int is_open_ended(uint64_t size, int width, uint64_t whole)
{
    enum { LEAST = 36 };

    if (width != 4)
        return size == 0 || size >= INT64_MAX;
    if (size == 0)
        return whole < LEAST || whole == UINT32_MAX;
    return size >= 0xffff0000 || (size >= 0x7ffef000 && size <= 0x80000000);
}

/* The same of AIFF: frames of 0x7f000000 bytes in all, and what is around them. */
static int is_open_form(uint64_t size)
{
    return size >= 0x7eff0000 && size <= 0x7f010000;
}

/* Puts in what libsndfile takes for a sound to the end. In RIFF, and for RF64, that is what its own
 * writer leaves when it is killed: it knows no limit of 4 GiB. */
static void leave_open(struct patched *file, uint64_t at, int width, int is_little)
{
    static const unsigned char killed[2][8] = {{'R', 'I', 'F', 'X', 0, 0, 0, 8},
                                               {'R', 'I', 'F', 'F', 8}};
    const uint64_t left = file->bytes - at;

    file->patches[0] = (struct patch){at - (uint64_t)width, (unsigned)width, {0}};
    for (int i = 0; i < width && width == 8; i++)
        file->patches[0].bytes[i] = (unsigned char)(left >> (56 - 8 * i));
    if (width == 8)
        return;
    file->patches[1] = (struct patch){0, 8, {0}};
    memcpy(file->patches[1].bytes, killed[is_little], 8);
}

static int is_chunk_name(const unsigned char name[4])
{
    int printable = 0;

    for (int i = 0; i < 4; i++)
        printable += name[i] >= ' ' && name[i] <= '~';
    return printable == 4;
}

/* RIFF and CAF: looks through the chunks, whose lengths have so many bytes, for "data". Behind one
 * without a sample there are only chunks; CAF counts 4 bytes in front of its samples. */
static const char *find_chunk_fault(struct patched *file, uint64_t at, int width, int is_little,
                                    uint64_t whole)
{
    unsigned char head[12];
    const uint64_t head_bytes = 4 + (uint64_t)width;
    int is_data, is_empty = 0;
    uint64_t size;

    for (; at + head_bytes <= file->bytes; at += size + (width == 4 ? size % 2 : 0)) {
        if (pread(file->fd, head, head_bytes, (off_t)at) != (ssize_t)head_bytes)
            return not_whole;
        at += head_bytes;
        size = number(head + 4, width, is_little);
        is_data = memcmp(head, "data", 4) == 0;
        if (is_empty && (!is_chunk_name(head) || size > file->bytes - at))
            return tells_nothing;
        if (is_data && is_open_ended(size, width, whole)) {
            if (size == 0 || size > 0x80000000)
                leave_open(file, at, width, is_little);
            return NULL;
        }
        if (size > file->bytes - at)
            return not_whole;
        if (is_data && size > (width == 8 ? 4 : 0))
            return NULL;
        is_empty |= is_data;
    }
    return !is_empty ? not_whole : at < file->bytes ? tells_nothing : NULL;
}

/* AIFF: a sound without a length may be open. Of compressed samples, frames tell no bytes. */
static const char *find_form_fault(const struct patched *file, int is_plain)
{
    unsigned char head[8], common[22] = {0};
    uint64_t has = 0, frame, size;

    for (uint64_t at = 12; pread(file->fd, head, 8, (off_t)at) == 8; at += 8 + size + size % 2) {
        const int is_sound = memcmp(head, "SSND", 4) == 0;

        size = number(head + 4, 4, 0);
        if (is_sound && size == 0)
            return NULL;
        if (size > file->bytes - at - 8)
            return has ? NULL : not_whole;
        if (is_sound)
            has = size;
        if (memcmp(head, "COMM", 4) == 0 && size >= 18)
            (void)!pread(file->fd, common, sizeof(common), (off_t)at + 8);
    }
    frame = number(common, 2, 0) * ((number(common + 6, 2, 0) + 7) / 8);
    is_plain |= memcmp(common + 18, "NONE", 4) == 0 || memcmp(common + 18, "sowt", 4) == 0 ||
                memcmp(common + 18, "twos", 4) == 0;
    return is_plain && has && number(common + 2, 4, 0) * frame > has - 8 ? not_whole : NULL;
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

/* Kinds whose header has the length of all behind it, or of the samples. */
static const struct {
    char name[5];
    int at, bytes, is_little; /* of the length */
    unsigned before;          /* bytes that it does not count */
} kinds[] = {
    {"FORM", 4, 4, 0, 8},
    {"RF64", 20, 8, 1, 8},
    {"RF64", 28, 8, 1, 0},
    {"riff", 16, 8, 1, 0}, /* Wave64 */
};

enum { FRONT = 36 };

/* Is the file shorter than that? */
static int is_shorter(const struct patched *file, const unsigned char head[FRONT])
{
    uint64_t size;

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        size = number(head + kinds[i].at, kinds[i].bytes, kinds[i].is_little);
        if (memcmp(head, kinds[i].name, 4) == 0 && size > file->bytes - kinds[i].before &&
            size < INT64_MAX)
            return 1;
    }
    return 0;
}

static const char *find_head_fault(struct patched *file, const unsigned char head[FRONT])
{
    const int is_long = memcmp(head, "RF64", 4) == 0 && memcmp(head + 12, "ds64", 4) == 0;
    const uint64_t size = number(head + 8, 4, 0);

    if (memcmp(head, "FORM", 4) == 0 && is_open_form(number(head + 4, 4, 0)))
        return NULL;
    if (is_shorter(file, head))
        return not_whole;
    if (memcmp(head, "FORM", 4) == 0)
        return find_form_fault(file, head[11] == 'F');
    if (memcmp(head, "RIFF", 4) == 0 || memcmp(head, "RIFX", 4) == 0 ||
        (is_long && is_open_ended(number(head + 28, 8, 1), 8, 0)))
        return find_chunk_fault(file, 12, 4, head[3] != 'X', number(head + 4, 4, head[3] != 'X'));
    if (memcmp(head, "caff", 4) == 0)
        return find_chunk_fault(file, 8, 8, 0, 0);
    if (memcmp(head, ".snd", 4) != 0 || size == UINT32_MAX)
        return NULL;
    if (size == 0 && number(head + 4, 4, 0) < file->bytes)
        return tells_nothing;
    return number(head + 4, 4, 0) + size > file->bytes ? not_whole : NULL;
}

const char *dal_part_find_fault(struct patched *file)
{
    unsigned char head[FRONT] = {0};

    if (pread(file->fd, head, sizeof(head), 0) < 24) /* what .au has without a sample */
        return not_whole;
    if (memcmp(head, "OggS", 4) == 0)
        return find_ogg_fault(file->fd, file->bytes);
    return find_head_fault(file, head);
}
