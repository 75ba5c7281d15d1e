/* Frames of MPEG audio, by ISO/IEC 11172-3 and 13818-3, and what encoders write into the first one:
 * its headers Xing, Info and VBRI. */
#include "mpeg.h"

#include <string.h>
#include <unistd.h>

/* A frame begins with so many bytes, and what it may tell ends before so many. */
enum { HEAD = 4, TOLD = 64 };

struct mpeg_frame {
    unsigned bytes, samples; /* bytes is 0 where it is no frame */
};

static struct mpeg_frame parse_frame(const unsigned char *head)
{
    static const unsigned kilobits[5][15] = {
        {0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},
        {0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
        {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
        {0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},
        {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
    };
    static const unsigned hertz[] = {44100, 48000, 32000};
    const unsigned version = head[1] >> 3 & 3, layer = 4 - (head[1] >> 1 & 3);
    const unsigned index = head[2] >> 4, rate = head[2] >> 2 & 3, is_first = version == 3;
    const unsigned slot = layer == 1 ? 4 : 1; /* bytes */
    struct mpeg_frame frame = {0, layer == 1 ? 384 : layer == 3 && !is_first ? 576 : 1152};

    if (head[0] != 0xff || head[1] < 0xe0 || version == 1 || layer == 4 || index % 15 == 0 ||
        rate == 3)
        return frame;
    frame.bytes = frame.samples / 8 / slot * 1000 *
                  kilobits[is_first     ? layer - 1
                           : layer == 1 ? 3
                                        : 4][index] /
                  (hertz[rate] >> (is_first       ? 0
                                   : version == 2 ? 1
                                                  : 2));
    frame.bytes = (frame.bytes + (head[2] >> 1 & 1)) * slot;
    return frame;
}

/* How long is a tag of ID3v2 that begins here? 0: it is none. */
static uint64_t tag_bytes(const unsigned char *at)
{
    if (memcmp(at, "ID3", 3) != 0)
        return 0;
    return 10 +
           ((uint64_t)(at[6] & 127) << 21 | (uint64_t)(at[7] & 127) << 14 |
            (uint64_t)(at[8] & 127) << 7 | (at[9] & 127)) +
           (at[5] & 16 ? 10 : 0);
}

/* How many frames follow, as the first one says? */
static uint64_t told_frames(const unsigned char *frame)
{
    const int is_first = (frame[1] & 8) != 0, is_mono = frame[3] >> 6 == 3;
    const unsigned char *tag = frame + HEAD + (frame[1] & 1 ? 0 : 2) +
                               (is_first  ? is_mono ? 17 : 32
                                : is_mono ? 9
                                          : 17);

    if ((memcmp(tag, "Xing", 4) == 0 || memcmp(tag, "Info", 4) == 0) && tag[7] & 1)
        tag += 8;
    else if (memcmp(frame + HEAD + 32, "VBRI", 4) == 0)
        tag = frame + HEAD + 32 + 14;
    else
        return 0;
    return (uint64_t)tag[0] << 24 | (uint64_t)tag[1] << 16 | (uint64_t)tag[2] << 8 | tag[3];
}

/* Returns the bytes of a frame at a place, if it is of the same version, layer and rate; or 0. */
static unsigned like_frame(int fd, uint64_t at, const unsigned char *first)
{
    unsigned char head[HEAD];

    if (pread(fd, head, sizeof(head), (off_t)at) != HEAD || (head[1] & 0xfe) != (first[1] & 0xfe) ||
        (head[2] & 12) != (first[2] & 12))
        return 0;
    return parse_frame(head).bytes;
}

/* Goes from frame to frame. Behind what is none, two in a row are looked for. */
static uint64_t walk_frames(int fd, uint64_t at, uint64_t bytes, const unsigned char *first)
{
    unsigned char head[10];
    uint64_t frames = 0, step;
    int is_lost = 0;

    for (; at < bytes && pread(fd, head, sizeof(head), (off_t)at) >= HEAD; at += step) {
        step = tag_bytes(head);
        if (step)
            continue;
        step = like_frame(fd, at, first);
        if (is_lost && step && at + step < bytes && !like_frame(fd, at + step, first))
            step = 0;
        is_lost = !step;
        frames += step && at + step <= bytes;
        step += is_lost;
    }
    return frames;
}

struct mpeg dal_part_count_mpeg(int fd, uint64_t bytes)
{
    unsigned char first[TOLD] = {0};
    struct mpeg m = {0};
    uint64_t at = 0, step;

    while (pread(fd, first, sizeof(first), (off_t)at) >= HEAD && (step = tag_bytes(first)) > 0)
        at += step;
    if (!parse_frame(first).bytes)
        return m;
    m = (struct mpeg){walk_frames(fd, at, bytes, first), told_frames(first),
                      parse_frame(first).samples};
    m.frames -= m.told && m.frames;
    return m;
}
